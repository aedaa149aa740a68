import { resolve } from 'node:path'
import { defineConfig, type Options } from 'tsup'
import { guardedEntries } from './scripts/build/guarded-entries.ts'
import { inspector, sharedInspector } from './scripts/build/inspector.ts'
import { licenceFile } from './scripts/build/licence-file.ts'
import { minifyModules } from './scripts/build/minify.ts'
import { peerMessages } from './scripts/build/peer-messages.ts'
import { smallFaker } from './scripts/build/small-faker.ts'
import { toCommonJs } from './scripts/build/to-common-js.ts'

/** The entry points of the package. */
export const entries = {
  index: 'src/index.ts',
  'events/index': 'src/events/index.ts',
  'durable/index': 'src/durable/index.ts',
  'stores/index': 'src/stores/index.ts',
  'sync/index': 'src/sync/index.ts',
  'parquet/index': 'src/parquet/index.ts',
  'conformance/index': 'src/conformance/index.ts',
  'certify/index': 'src/certify/index.ts',
  otel: 'src/otel.ts',
  'mock/index': 'mock/index.ts',
  'mock/conformance': 'mock/conformance.ts',
  'mock/explore': 'mock/explore.ts',
  'mock/msw': 'mock/msw.ts',
  'mock/playwright': 'mock/playwright.ts',
  'mock/remote': 'mock/remote.ts',
  'mock/server': 'mock/server.ts',
  'mock/vitest': 'mock/vitest.ts',
}

/** Without source maps, which would double the size. */
const library: Options = {
  entry: entries,
  format: 'esm',
  plugins: [minifyModules],
  target: 'node22',
  platform: 'neutral',
  external: [/^node:/],
  esbuildPlugins: [sharedInspector, guardedEntries(entries)],
  splitting: true,
  removeNodeProtocol: false,
  dts: { entry: entries, compilerOptions: { stripInternal: true } },
}

// Vitest cannot be required, and Playwright requires the ES module.
const { 'mock/playwright': _, 'mock/vitest': __, ...required } = entries

/**
 * The entry points for `require()`, except those for Playwright and Vitest, and the command. They contain
 * their dependencies: most of these cannot be required by every tool, and users of `npx health-lab-sdk mock` have not
 * installed the optional ones. What they share is in files that all of them load.
 */
export const commonJs: Options = {
  entry: {
    ...Object.fromEntries(Object.entries(required).map(([name, path]) => [`cjs/${name}`, path])),
    'cjs/cli': 'mock/cli/main.ts',
    'cjs/inspector-page': 'mock/inspector/page.ts',
  },
  format: 'esm',
  plugins: [toCommonJs],
  outExtension: () => ({ js: '.cjs' }),
  target: 'node22',
  platform: 'node',
  noExternal: [/./],
  esbuildPlugins: [inspector, peerMessages, smallFaker, licenceFile],
  esbuildOptions: (options) => {
    options.chunkNames = 'cjs/[name]-[hash]'
    // Its ES modules: esbuild leaves out what is not used.
    options.alias = { yaml: resolve('node_modules/yaml/browser/dist/index.js') }
  },
  splitting: true,
  removeNodeProtocol: false,
}

/** Old versions of Node must be able to read the file that tells users they are too old. */
export const launcher: Options = {
  entry: { cli: 'mock/cli.ts' },
  format: 'esm',
  target: 'es2015',
  platform: 'node',
  esbuildOptions: (options) => {
    options.supported = { 'dynamic-import': true }
  },
  esbuildPlugins: [
    {
      name: 'main-beside-launcher',
      setup: ({ onResolve }) =>
        onResolve({ filter: /^\.\/cli\/main\.ts$/ }, () => ({
          path: './cjs/cli.cjs',
          external: true,
        })),
    },
  ],
}

export default defineConfig([library, commonJs, launcher])
