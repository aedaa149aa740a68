import { defineConfig } from 'tsup'
import { inspector } from './scripts/build/inspector.ts'

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
  'mock/remote': 'mock/remote/connect.ts',
  'mock/server': 'mock/server/server.ts',
  'mock/vitest': 'mock/vitest.ts',
}

/**
 * Not minified and without source maps: what is shipped reads like its source, at a third of the size.
 * What is below `node/` is what Node imports instead of the entry points that need an optional package.
 * `scripts/build/declarations.ts` then takes the schemas out of the declarations.
 */
export default defineConfig({
  entry: {
    ...entries,
    'node/mock': 'mock/node/index.ts',
    'node/msw': 'mock/node/msw.ts',
    'node/otel': 'src/node/otel.ts',
    'node/server': 'mock/node/server.ts',
    'node/vitest': 'mock/node/vitest.ts',
  },
  format: 'esm',
  target: 'node22',
  platform: 'neutral',
  external: [/^node:/],
  esbuildPlugins: [inspector],
  splitting: true,
  removeNodeProtocol: false,
  clean: true,
  dts: { entry: entries, compilerOptions: { stripInternal: true } },
})
