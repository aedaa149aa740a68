/**
 * Explores and certifies sync, optionally with a mutation. If one of the two detects the mutation, prints which one and
 * exits with 3.
 */
import { registerHooks } from 'node:module'
import { planted } from './mutations.ts'

const given = JSON.parse(process.argv[2] ?? 'null')
if (given) {
  const source = planted(given)
  registerHooks({
    load: (url, context, nextLoad) =>
      url.endsWith(`/src/sync/${given.file}.ts`)
        ? { format: 'module-typescript', source, shortCircuit: true }
        : nextLoad(url, context),
  })
}
await import('../package-sources.ts')

async function judge(): Promise<string | undefined> {
  const { exploreSync } = await import('./explore.ts')
  try {
    await exploreSync({ budget: { runs: 12 }, print: () => {} })
  } catch (error) {
    return `explore, ${String(Object(error).message).split('\n')[0]}`
  }
  const { certifySync } = await import('./certify.ts')
  const { failed } = await certifySync(await (await import('@electric-sql/pglite')).PGlite.create())
  return failed.length > 0 ? `certify, ${failed.join(', ')}` : undefined
}

const noticed = await judge()
console.log(noticed ?? 'nothing notices')
process.exit(noticed === undefined ? 0 : 3)
