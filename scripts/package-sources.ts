/** Resolves imports of `health-lab-sdk` to its sources: `node --import ./scripts/package-sources.ts examples/quickstart.ts`. */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const root = new URL('../', import.meta.url)
const tsconfig = JSON.parse(readFileSync(new URL('tsconfig.json', root), 'utf8'))
// The type checker and Vitest use the same list.
const paths: Record<string, [string]> = tsconfig.compilerOptions.paths

registerHooks({
  resolve(specifier, context, nextResolve) {
    const [source] = paths[specifier] ?? []
    return nextResolve(source ? new URL(source, root).href : specifier, context)
  },
})
