import { readFileSync, writeFileSync } from 'node:fs'
import { type TransformOptions, transform } from 'esbuild'
import type { Options } from 'tsup'
import { minified } from './minify.ts'

/**
 * Converts each built file to CommonJS. The files are first built as ES modules, because esbuild can share code between
 * entry points only for ES modules. `import()` of a file of the package becomes `require()`, because tools such as Jest do
 * not support `import()`. A user's module is still imported, because it may have a file URL and may use `await`.
 */
export const toCommonJs: NonNullable<Options['plugins']>[number] = {
  name: 'to-common-js',
  async buildEnd({ writtenFiles }) {
    for (const { name } of writtenFiles) {
      const source = readFileSync(name, 'utf8').replace(/\bimport\((?!["'`])/g, '__import(')
      const { code } = await transform(source, { ...options, format: 'cjs' })
      const [body = '', names = ''] = withDirectExports(code).split(namesStart)
      // Remove unused helpers.
      const shaken = await transform(body, { ...options, treeShaking: true })
      const short = minified(shaken.code, { module: false }).replaceAll('__import(', 'import(')
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

/** The start of a statement that never runs. When an ES module imports the file, Node reads the export names in it. */
const namesStart = '0 && (module.exports = {'

/** Returns whether only other built files load a file. The name of such a file ends with a hash. */
function isPart(file: string): boolean {
  return /-[A-Z\d]{8}\.cjs$/.test(file)
}

/**
 * Defines the exports on `exports` directly. esbuild defines them on another object and copies them, which takes 500
 * bytes per file.
 */
function withDirectExports(code: string): string {
  const direct = code
    .replace('var stdin_exports = {};\n', '__defProp(exports, "__esModule", { value: true });\n')
    .replace('__export(stdin_exports, {', '__export(exports, {')
    .replace('module.exports = __toCommonJS(stdin_exports);\n', '')
  if (direct.includes('stdin_exports')) throw new Error('esbuild defines exports in another way.')
  return direct
}
