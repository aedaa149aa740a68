import type { Plugin } from 'esbuild'

/** The optional packages that are not in the CommonJS build, because the build must load the same copy as the user's code. */
const requiredPeers: Record<string, string> = {
  msw: 'health-lab-sdk/mock/msw',
  '@opentelemetry/api': 'health-lab-sdk/otel',
  pg: 'health-lab-sdk sync --database',
  '@electric-sql/pglite': 'health-lab-sdk sync without --database',
}

/** Loads the optional packages with `require()`, and throws an error with the install command if one is missing. */
export const peerMessages: Plugin = {
  name: 'peer-messages',
  setup({ onResolve, onLoad }) {
    onResolve(
      { filter: /^(?:msw|@opentelemetry\/api|pg|@electric-sql\/pglite)$/ },
      ({ path, namespace }) =>
        namespace === 'peer' ? { path, external: true } : { path, namespace: 'peer' },
    )
    onLoad({ filter: /.*/, namespace: 'peer' }, ({ path }) => ({
      contents: `
        const { missingPeer } = require('./src/shared/peers.ts')
        try {
          module.exports = require('${path}')
        } catch (cause) {
          const message = missingPeer(cause, '${requiredPeers[path]}')
          if (!message) throw cause
          throw Object.assign(new Error(message, { cause }), { code: 'missing_package' })
        }`,
      loader: 'js',
      resolveDir: process.cwd(),
    }))
  },
}
