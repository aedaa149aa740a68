import type { Plugin } from 'esbuild'

/** The entry points that need an optional package, keyed by the file that Node loads instead. */
const guarded = {
  'node/explore': 'mock/explore',
  'node/mock': 'mock/index',
  'node/msw': 'mock/msw',
  'node/otel': 'otel',
  'node/playwright': 'mock/playwright',
  'node/server': 'mock/server',
  'node/vitest': 'mock/vitest',
}

/** The program that `explore` starts in threads and processes. It is not imported. */
const host = { 'explore-host': 'mock/explore/hosts/entry.ts' }

/**
 * The tools whose ES module exports the names of their CommonJS build, because a second copy would take half a
 * megabyte.
 */
const common = { 'certify/index': 'certify/index', 'conformance/index': 'conformance/index' }

/**
 * Adds the files that Node loads instead of entry points that need an optional package. Each file imports its entry
 * point, exports the same names, and throws an error with the install command if the package is missing. Replaces the
 * entry points of `common`.
 */
export function guardedEntries(entries: Record<string, string>): Plugin {
  return {
    name: 'guarded-entries',
    setup({ initialOptions, onResolve, onLoad, esbuild }) {
      initialOptions.entryPoints = {
        ...entries,
        ...host,
        ...prefixed('guarded:', guarded),
        ...prefixed('common:', common),
      }
      onResolve({ filter: /^(?:guarded|common):/ }, ({ path }) => {
        const [namespace = '', name = ''] = path.split(':')
        return { path: name, namespace }
      })
      onResolve({ filter: /\.cjs$/, namespace: 'common' }, ({ path }) => ({ path, external: true }))
      for (const [namespace, write] of Object.entries({ guarded: guard, common: facade })) {
        onLoad({ filter: /.*/, namespace }, async ({ path }) => {
          const entry = `./${entries[path]}`
          const { metafile } = await esbuild.build({
            ...{ entryPoints: [entry], outdir: '.', write: false },
            metafile: true,
          })
          const names = Object.values(metafile.outputs).flatMap((output) => output.exports)
          return { contents: write(path, entry, names), loader: 'js', resolveDir: process.cwd() }
        })
      }
    },
  }
}

function prefixed(prefix: string, files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([file, name]) => [file, prefix + name]))
}

function facade(name: string, _: string, exported: readonly string[]): string {
  return `
    import common from '../cjs/${name}.cjs'
    export const { ${exported.join(', ')} } = common`
}

function guard(name: string, entry: string, exported: readonly string[]): string {
  const user = `health-lab-sdk/${name.replace('/index', '')}`
  const names = exported.join(', ')
  if (name.startsWith('mock/')) {
    return `
      import { withPackage } from './mock/errors.ts'
      export const { ${names} } = await withPackage('${user}', import('${entry}'))`
  }
  return `
    import { missingPeer } from './src/shared/peers.ts'
    export const { ${names} } = await import('${entry}').catch((cause) => {
      const message = missingPeer(cause, '${user}')
      throw message ? Object.assign(new Error(message, { cause }), { code: 'missing_package' }) : cause
    })`
}
