import { readFileSync, writeFileSync } from 'node:fs'
import { transform } from 'esbuild'
import type { Options } from 'tsup'

/**
 * Converts each built file to CommonJS. esbuild shares parts between entry points for ES modules only, so they are built as
 * ES modules first. `import()` becomes `require()`, because tools such as Jest cannot import.
 */
export const toCommonJs: NonNullable<Options['plugins']>[number] = {
  name: 'to-common-js',
  async buildEnd({ writtenFiles }) {
    for (const { name } of writtenFiles) {
      const { code } = await transform(readFileSync(name, 'utf8'), {
        format: 'cjs',
        platform: 'node',
        target: 'node22',
        supported: { 'dynamic-import': false },
        // Stacks and messages have the names of functions and classes. Short lines, because Node prints the whole line of an
        // uncaught error.
        minify: true,
        keepNames: true,
        lineLimit: 160,
      })
      writeFileSync(name, code)
    }
  },
}
