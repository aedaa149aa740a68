import { toJavaScript } from '../javascript.ts'
import { files, modules } from './contents.ts'

/**
 * Runs the blocks of a program one after the other, as one module. Calls `begin` with the place of each block before it runs.
 */
export async function runProgram(
  parts: readonly string[],
  begin: (place: number) => void,
): Promise<void> {
  // The name identifies the program's frames in error stacks.
  const code = `${compile(parts, begin)}\n//# sourceURL=${sourceName}`
  await new AsyncFunction('require', 'exports', '__begin', code)(load, {}, begin)
}

/** Joins the blocks. A syntax error contains the line number within its block. */
function compile(parts: readonly string[], begin: (place: number) => void): string {
  // Keep the call on the same line, so that line numbers in errors match the blocks.
  const text = parts.map((part, place) => `__begin(${place});${part}`).join('\n')
  try {
    return toJavaScript(text)
  } catch (error) {
    // The compiler adds the position to its errors.
    const { loc, message } = error as SyntaxError & { loc?: { line: number } }
    const { place, line } = placeOf(loc?.line ?? 1, parts)
    begin(place)
    throw new SyntaxError(`${message.replace(/^Error .*?: | \(.*$/g, '')} in line ${line}.`)
  }
}

const sourceName = 'program-of-reader'

/** The lines that `AsyncFunction` adds above the code. */
const addedLines = 2

/** Returns the line of a block in which an error was thrown; undefined if it was thrown elsewhere. */
export function lineOf(error: Error, part: number, parts: readonly string[]): number | undefined {
  const frames = String(error.stack).matchAll(new RegExp(`${sourceName}:(\\d+)`, 'g'))
  const places = [...frames].map(([, line]) => placeOf(Number(line) - addedLines, parts))
  return places.find(({ place }) => place === part)?.line
}

/** Returns the block that contains a line of the program, and the line number within the block. */
function placeOf(line: number, parts: readonly string[]): { place: number; line: number } {
  const starts = parts.map((_, place) => parts.slice(0, place).join('\n').split('\n').length)
  starts[0] = 0
  const place = starts.findLastIndex((start) => start < line)
  return { place, line: line - (starts[place] ?? 0) }
}

// The constructor has no global name.
const AsyncFunction = (async () => {}).constructor as FunctionConstructor

/** Restores the names of classes, because errors would show the minified names. */
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
