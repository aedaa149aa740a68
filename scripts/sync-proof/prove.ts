import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMock } from '../../mock/index.ts'
import { providersOf } from '../../mock/living/devices/devices.ts'
import { personaNames, personas } from '../../mock/living/person/personas.ts'
import { Random } from '../../mock/reference-data/random.ts'
import type { UserInput } from '../../mock/state/records/users.ts'
import type { PostgresDatabase } from '../../src/stores/index.ts'
import { createSync } from '../../src/sync/index.ts'
import { startPostgres } from '../../test/support/programs/postgres.ts'
import { syncedRows } from '../../test/support/synced.ts'
import { differencesOf } from './compare.ts'
import type { SyncPlace } from './place.ts'
import { Workers } from './workers.ts'

export interface ProofPlan {
  kind: SyncPlace['kind']
  users: number
  days: number
  kills: number
  workers: number
  seed: number
  /** Called after each day. */
  onDay?: (day: number, kills: number) => void
}

export interface ProofReport {
  deliveries: number
  kills: number
  rows: number
  differences: string[]
}

/** The database of the proof, which is open while no worker runs. */
interface ProofDatabase {
  path: string
  use<T>(run: (database: PostgresDatabase) => Promise<T>): Promise<T>
  stop(): Promise<unknown>
}

export async function prove(plan: ProofPlan): Promise<ProofReport> {
  const random = new Random(plan.seed)
  const team = createMock({ seed: plan.seed }).team()
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const opened = await openProof(plan.kind)
  const place = { kind: plan.kind, path: opened.path, schema: 'health', secret }
  try {
    await opened.use((database) => createSync({ database }).migrate())
    const workers = new Workers(place, plan.workers, random)
    let deliveries = 0
    // A user has about 60 deliveries a day. With the factor 1.5, each day's kills are reached on that day.
    const share = (plan.kills / (plan.users * plan.days * 60)) * 1.5
    let day = 1
    team.webhooks.add({
      ...{ secret, concurrency: plan.workers * 2, reorder: 20, duplicates: 0.1, delay: '10m' },
      ...{ lostResponses: 0.05, wrongSignatures: 0.02, oldTimestamps: 0.02 },
      handler: (request) => {
        deliveries += 1
        const isKilled = workers.kills < (plan.kills * day) / plan.days && random.next() < share
        return workers.deliver(request, isKilled)
      },
    })
    const people = Array.from({ length: plan.users }, (_, index) =>
      team.users.create({ ...lifeOf(index), living: true }),
    )
    for (; day <= plan.days || workers.kills < plan.kills; day += 1) {
      await team.clock.advance('1d')
      plan.onDay?.(day, workers.kills)
    }
    // Delete the users, so that no new events arrive and all retries end.
    for (const { user_id } of people) team.users.delete(user_id)
    await team.clock.advance('3d')
    await workers.stop()
    let rows = 0
    const differences: string[] = []
    await opened.use(async (database) => {
      for (const { user_id } of people) {
        const stored = await syncedRows(database, place.schema, user_id)
        rows += stored.length
        differences.push(...differencesOf(team.truth(user_id), stored))
      }
    })
    return { deliveries, kills: workers.kills, rows, differences }
  } finally {
    await opened.stop()
  }
}

/** Personas alternate. A quarter of the users have all providers of their persona, and the others have one. */
function lifeOf(index: number): Pick<UserInput, 'persona' | 'connections'> {
  const persona = personaNames[index % personaNames.length] ?? 'typical'
  const providers = providersOf(personas[persona])
  const round = Math.floor(index / personaNames.length)
  const place = round % providers.length
  const one = providers.slice(place, place + 1)
  return { persona, connections: round % 4 === 0 ? providers : one }
}

async function openProof(kind: SyncPlace['kind']): Promise<ProofDatabase> {
  if (kind === 'postgres') {
    const { Pool } = await import('pg')
    const { connection, stop } = await startPostgres()
    const use: ProofDatabase['use'] = async (run) => {
      const pool = new Pool(connection)
      return run(pool).finally(() => pool.end())
    }
    return { path: connection.host, use, stop }
  }
  const { PGlite } = await import('@electric-sql/pglite')
  const folder = mkdtempSync(join(tmpdir(), 'sync-proof-'))
  const path = join(folder, 'data')
  const use: ProofDatabase['use'] = async (run) => {
    const database = await PGlite.create(path)
    return run(database).finally(() => database.close())
  }
  return { path, use, stop: async () => rmSync(folder, { recursive: true }) }
}
