import { type TransformOptions, transform } from 'esbuild'
import type { Options } from 'tsup'

/**
 * Converts each built file to CommonJS. esbuild shares parts between entry points for ES modules only, so they are built as
 * ES modules first. `import()` becomes `require()`, because tools such as Jest cannot import.
 */
export const toCommonJs: NonNullable<Options['plugins']>[number] = {
  name: 'to-common-js',
  async renderChunk(code, { path }) {
    const { code: converted } = await transform(code, { ...options, format: 'cjs' })
    const [body = '', names = ''] = withDirectExports(converted).split(namesStart)
    // Removes the helpers that are no longer used.
    const short = await transform(body, {
      ...options,
      treeShaking: true,
      // Names stay readable. Short lines, because Node prints the whole line of an uncaught error.
      minifyWhitespace: true,
      lineLimit: 160,
    })
    if (names === '' || isSharedPart(path)) return short
    return { code: short.code + namesStart + names.replaceAll(/\s+/g, '') }
  },
}

const options: TransformOptions = {
  platform: 'node',
  target: 'node22',
  supported: { 'dynamic-import': false },
}

/** The start of the statement that never runs: Node reads the names of exports in it when an ES module imports the file. */
const namesStart = '0 && (module.exports = {'

/** Whether only other built files load a file: its name ends with a hash. */
function isSharedPart(path: string): boolean {
  return /-[A-Z\d]{8}\.\w+$/.test(path)
}

/** Defines the exports themselves instead of those of another object that are then copied: each file is shorter, and loads faster. */
function withDirectExports(code: string): string {
  const direct = code
    .replace('var stdin_exports = {};\n', '__defProp(exports, "__esModule", { value: true });\n')
    .replace('__export(stdin_exports, {', '__export(exports, {')
    .replace('module.exports = __toCommonJS(stdin_exports);\n', '')
  if (direct.includes('stdin_exports')) throw new Error('esbuild defines exports in another way.')
  return direct
}
