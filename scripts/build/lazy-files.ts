import { resolve } from 'node:path'
import type { Plugin } from 'esbuild'

/**
 * Modules that become files of their own, each with its function: a command needs few of them until its first response. Their
 * data and their schemas would add a sixth to its time.
 */
const lazyModules = [
  { name: 'faker', module: 'mock/data/faker.ts', exported: 'getFaker' },
  { name: 'check-fault', module: 'mock/faults/check-fault.ts', exported: 'checkFault' },
  { name: 'snapshot', module: 'mock/snapshot/check.ts', exported: 'parseSnapshot' },
  { name: 'aggregate-routes', module: 'mock/routes/aggregate.ts', exported: 'aggregateRoutes' },
  { name: 'insurance-routes', module: 'mock/routes/insurance.ts', exported: 'insuranceRoutes' },
  { name: 'lab-test-routes', module: 'mock/routes/lab-tests.ts', exported: 'labTestRoutes' },
  { name: 'link-routes', module: 'mock/routes/link.ts', exported: 'linkRoutes' },
  { name: 'order-routes', module: 'mock/routes/orders.ts', exported: 'orderRoutes' },
  { name: 'summary-routes', module: 'mock/routes/summaries.ts', exported: 'summaryRoutes' },
  { name: 'user-routes', module: 'mock/routes/users.ts', exported: 'userRoutes' },
]

/** The entry points of these files. */
export const lazyEntries = Object.fromEntries(
  lazyModules.map(({ name, module }) => [`cjs/${name}`, module]),
)

/** Loads these files when their function is called first. Only CommonJS can load a file in the middle of a function. */
export const lazyFiles: Plugin = {
  name: 'lazy-files',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.ts$/ }, ({ path, resolveDir, kind }) => {
      if (kind !== 'import-statement') return undefined
      const lazy = lazyModules.find(({ module }) => resolve(module) === resolve(resolveDir, path))
      return lazy && { path: lazy.name, namespace: 'lazy', pluginData: lazy }
    })
    // All parts that entry points share are in the same folder as these files.
    onResolve({ filter: /\.cjs$/, namespace: 'lazy' }, ({ path }) => ({ path, external: true }))
    onLoad({ filter: /^/, namespace: 'lazy' }, ({ pluginData: { name, exported } }) => ({
      contents: `export function ${exported}(...input) { return require('./${name}.cjs').${exported}(...input) }`,
      loader: 'js',
    }))
  },
}
