import { toJavaScript } from '../javascript.ts'
import { files, modules } from './contents.ts'

/**
 * Runs the blocks of a program one after the other, as one module. Calls `begin` with the place of each block before it runs.
 */
export async function runProgram(
  parts: readonly string[],
  begin: (place: number) => void,
): Promise<void> {
  // On the same line, so that the lines of syntax errors are those of the blocks.
  const text = parts.map((part, place) => `__begin(${place});${part}`).join('\n')
  await new AsyncFunction('require', 'exports', '__begin', toJavaScript(text))(load, {}, begin)
}

// The constructor has no global name.
const AsyncFunction = (async () => {}).constructor as FunctionConstructor

/** Minified classes have other names, which errors would show. */
for (const exports of Object.values(modules)) {
  for (const [name, value] of Object.entries(exports)) {
    if (typeof value === 'function') Object.defineProperty(value, 'name', { value: name })
  }
}

const loaded = new Map<string, object>()

/** Returns the exports of a module of the sandbox, or of a file that the pages show. */
function load(name: string): object {
  const known = modules[name] ?? loaded.get(name)
  if (known) return known
  const text = files[name.replace(/^\.\//, '')]
  if (text === undefined)
    throw new Error(`${name} cannot be imported in the browser. Run the program in Node.`)
  const exports = {}
  loaded.set(name, exports)
  new Function('require', 'exports', toJavaScript(text))(load, exports)
  return exports
}
