import { defineConfig, type Options } from 'tsup'
import { inspector } from './scripts/build/inspector.ts'
import { licenceFile } from './scripts/build/licence-file.ts'

/** The entry points of the package. */
export const entries = {
  index: 'src/index.ts',
  'events/index': 'src/events/index.ts',
  'parquet/index': 'src/parquet/index.ts',
  'conformance/index': 'src/conformance/index.ts',
  otel: 'src/otel.ts',
  'mock/index': 'mock/index.ts',
  'mock/conformance': 'mock/conformance.ts',
  'mock/msw': 'mock/msw.ts',
  'mock/remote': 'mock/remote.ts',
  'mock/server': 'mock/server.ts',
  'mock/vitest': 'mock/vitest.ts',
}

/** Node imports these instead of the entry points that need an optional package: they name the package that is missing. */
const nodeEntries = {
  'node/mock': 'mock/node/index.ts',
  'node/msw': 'mock/node/msw.ts',
  'node/otel': 'src/node/otel.ts',
  'node/server': 'mock/node/server.ts',
  'node/vitest': 'mock/node/vitest.ts',
}

/** Not minified and without source maps: what is published reads like its source, at a third of the size. */
const library: Options = {
  entry: { ...entries, ...nodeEntries },
  format: 'esm',
  target: 'node22',
  platform: 'neutral',
  external: [/^node:/],
  esbuildPlugins: [inspector],
  splitting: true,
  removeNodeProtocol: false,
  dts: { entry: entries, compilerOptions: { stripInternal: true } },
}

/**
 * The command contains all of its dependencies: users of `npx health-lab-sdk mock` have not installed the optional
 * peer packages, and a few files load faster than two hundred.
 */
export const command: Options = {
  entry: { 'cli/main': 'mock/cli/main.ts' },
  format: 'esm',
  target: 'node22',
  platform: 'node',
  noExternal: [/./],
  esbuildPlugins: [inspector, licenceFile],
  esbuildOptions: (options) => {
    options.chunkNames = 'cli/[name]-[hash]'
    // Stacks of errors show the names.
    options.keepNames = true
  },
  splitting: true,
  minify: true,
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
          path: './cli/main.js',
          external: true,
        })),
    },
  ],
}

export default defineConfig([library, command, launcher])
