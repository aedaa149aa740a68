import { rmSync, writeFileSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { type TransformOptions, transform } from 'esbuild'
import type { Options } from 'tsup'
import { exportedPart, isGenerated, joinParts } from './join-parts.ts'

/**
 * Converts each built file to CommonJS. esbuild shares parts between entry points for ES modules only, so they are built as
 * ES modules first. `import()` becomes `require()`, because tools such as Jest cannot import.
 */
export const toCommonJs: NonNullable<Options['plugins']>[number] = {
  name: 'to-common-js',
  async buildEnd({ writtenFiles }) {
    const folder = this.options.outDir
    const names = writtenFiles.map(({ name }) => relative(folder, name))
    const { code, homes } = await joinParts(folder, names)
    for (const name of names) {
      const path = join(folder, name)
      const text = code.get(name)
      if (text === undefined) rmSync(path)
      else writeFileSync(path, await converted(name, text, homes))
    }
  },
}

const options: TransformOptions = {
  platform: 'node',
  target: 'node22',
  supported: { 'dynamic-import': false },
}

/** Converts the code of a file. `homes` has the new files of parts that were joined. */
async function converted(
  name: string,
  text: string,
  homes: ReadonlyMap<string, string>,
): Promise<string> {
  const { code } = await transform(text, { ...options, format: 'cjs' })
  const [body = '', names = ''] = withNewHomes(withDirectExports(code), name, homes).split(
    namesStart,
  )
  // Removes the helpers that are no longer used.
  const short = await transform(body, {
    ...options,
    treeShaking: true,
    // Names stay readable. Short lines, because Node prints the whole line of an uncaught error.
    minifyWhitespace: true,
    lineLimit: 160,
  })
  if (names === '' || isGenerated(name)) return short.code
  return short.code + namesStart + names.replaceAll(/\s+/g, '')
}

/** Replaces the files of joined parts in the calls of `require()`. */
function withNewHomes(code: string, file: string, homes: ReadonlyMap<string, string>): string {
  const folder = posix.dirname(file)
  return code.replaceAll(/\brequire\("(\.[^"]+)"\)/g, (call, path: string) => {
    const part = posix.join(folder, path)
    const home = homes.get(part)
    if (home === undefined) return call
    const address = posix.relative(folder, home)
    return `require("${address.startsWith('.') ? address : `./${address}`}").${exportedPart(part)}`
  })
}

/** The start of the statement that never runs: Node reads the names of exports in it when an ES module imports the file. */
const namesStart = '0 && (module.exports = {'

/** Defines the exports themselves instead of those of another object that are then copied: each file is shorter, and loads faster. */
function withDirectExports(code: string): string {
  const direct = code
    .replace('var stdin_exports = {};\n', '__defProp(exports, "__esModule", { value: true });\n')
    .replace('__export(stdin_exports, {', '__export(exports, {')
    .replace('module.exports = __toCommonJS(stdin_exports);\n', '')
  if (direct.includes('stdin_exports')) throw new Error('esbuild defines exports in another way.')
  return direct
}
