import { transform } from 'esbuild'
import type { Options } from 'tsup'

/**
 * Converts each built file to CommonJS. esbuild shares parts between entry points for ES modules only, so they are built as
 * ES modules first. `import()` becomes `require()`, because tools such as Jest cannot import.
 */
export const toCommonJs: NonNullable<Options['plugins']>[number] = {
  name: 'to-common-js',
  async renderChunk(code) {
    const { code: converted, ...result } = await transform(code, {
      format: 'cjs',
      platform: 'node',
      target: 'node22',
      supported: { 'dynamic-import': false },
      // Names stay readable. Short lines, because Node prints the whole line of an uncaught error.
      minifyWhitespace: true,
      lineLimit: 160,
    })
    return { ...result, code: requireLazily(converted) }
  },
}

const sharedFile = /var (import_\w+)=require\(("\.[^"]+")\);/g

/** Loads each shared file when one of its names is first used: most programs use few of them. */
export function requireLazily(code: string): string {
  const names = Array.from(code.matchAll(sharedFile), ([, name]) => name)
  return code
    .replace(sharedFile, 'var loaded_$1;function $1(){return loaded_$1??=require($2)}')
    .replace(/\bimport_\w+(?=\.)/g, (name) => (names.includes(name) ? `(${name}())` : name))
}
