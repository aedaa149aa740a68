import { readFileSync, writeFileSync } from 'node:fs'
import { type TransformOptions, transform } from 'esbuild'
import type { Options } from 'tsup'
import { minified } from './minify.ts'

/**
 * Converts each built file to CommonJS. esbuild shares parts between entry points for ES modules only, so they are built as
 * ES modules first. `import()` becomes `require()`, because tools such as Jest cannot import.
 */
export const toCommonJs: NonNullable<Options['plugins']>[number] = {
  name: 'to-common-js',
  async buildEnd({ writtenFiles }) {
    for (const { name } of writtenFiles) {
      const { code } = await transform(readFileSync(name, 'utf8'), { ...options, format: 'cjs' })
      const [body = '', names = ''] = withDirectExports(code).split(namesStart)
      // Removes the helpers that are no longer used.
      const shaken = await transform(body, { ...options, treeShaking: true })
      const short = minified(shaken.code, { module: false })
      writeFileSync(name, isPart(name) || names === '' ? short : `${short}${namesStart}${names}`)
    }
  },
}

const options: TransformOptions = {
  platform: 'node',
  target: 'node22',
  charset: 'utf8',
  supported: { 'dynamic-import': false },
}

/** The start of a statement that never runs: Node reads the names of exports in it when an ES module imports the file. */
const namesStart = '0 && (module.exports = {'

/** Whether only other built files load a file: its name ends with a hash. */
function isPart(file: string): boolean {
  return /-[A-Z\d]{8}\.cjs$/.test(file)
}

/** Defines the exports of a file themselves. esbuild defines those of another object and copies them, in 500 bytes a file. */
function withDirectExports(code: string): string {
  const direct = code
    .replace('var stdin_exports = {};\n', '__defProp(exports, "__esModule", { value: true });\n')
    .replace('__export(stdin_exports, {', '__export(exports, {')
    .replace('module.exports = __toCommonJS(stdin_exports);\n', '')
  if (direct.includes('stdin_exports')) throw new Error('esbuild defines exports in another way.')
  return direct
}
