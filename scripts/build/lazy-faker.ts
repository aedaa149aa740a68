import { dirname } from 'node:path'
import type { Plugin } from 'esbuild'

/**
 * Loads faker when the first name or street is generated: its data takes a tenth of the time until the first response of
 * the command. Only CommonJS can load it in the middle of a function, from a file of its own that is not read before.
 */
export const lazyFaker: Plugin = {
  name: 'lazy-faker',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^\.\/faker\.cjs$/ }, ({ path }) => ({ path, external: true }))
    onLoad({ filter: /[\\/]mock[\\/]data[\\/]faker\.ts$/ }, ({ path }) => ({
      contents: `
        let faker
        export function getFaker() {
          faker ??= require('./faker.cjs').faker
          return faker
        }`,
      loader: 'js',
      resolveDir: dirname(path),
    }))
  },
}
