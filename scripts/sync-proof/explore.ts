import assert from 'node:assert/strict'
import { PGlite } from '@electric-sql/pglite'
import {
  type ExploreContext,
  type ExploreOptions,
  type ExploreTools,
  explore,
} from '../../mock/explore.ts'
import { eventHandler } from '../../src/events/index.ts'
import { ServiceClient } from '../../src/index.ts'
import { createSync } from '../../src/sync/index.ts'
import { listTables } from '../../src/sync/schema/tables.ts'
import { delivery, secret } from '../../test/support/signed.ts'
import { syncedRows } from '../../test/support/synced.ts'
import { heartrateEvent, nightEvent } from '../../test/sync/synced-schema.ts'
import { differencesOf } from './compare.ts'

const database = await PGlite.create()
await createSync({ database }).migrate()
// A constraint that makes some messages fail every time.
await database.exec('alter table health.sleep add constraint low check (total < 1000000)')
const state = ['messages', 'unknown_events', 'findings', 'failed_messages', 'forgotten']
const names = [...listTables().map(({ name }) => name), ...state, 'disconnections', 'backfills']
const empty = `truncate ${names.map((name) => `health.${name}`).join(', ')}`

const days = { from: '2025-03-25', to: '2025-06-05' }
const [early, late] = ['2026-01-06T08:00:00+00:00', '2026-01-06T09:00:00+02:00']

async function setup(tools: ExploreTools) {
  const { team } = tools
  await database.exec(empty)
  const program = { user_id: '', step: 0, attempt: 0, ...open(tools) }
  team.webhooks.add({ secret, handler: (request) => program.receive(request) })
  const { user_id } = team.users.create({ living: true, connections: ['withings'] })
  return Object.assign(program, { user_id })
}

type Program = ExploreContext<Awaited<ReturnType<typeof setup>>>

/** Creates the objects of a process when it starts. A crash revokes its database. */
function open({ connection, fence }: ExploreTools) {
  const client = new ServiceClient(connection)
  const db = fence(database)
  const sync = createSync({ client, database: db, onDisconnect: 'remove', maxAttempts: 2 })
  const receive = eventHandler({ secrets: secret, ...sync.listeners, onError: () => {} })
  return { sync, client, receive }
}

/** Creates a person whose events a step delivers itself, without faults, so that the step knows the expected rows. */
function person({ team, receive, step, attempt }: Program) {
  const { user_id } = team.users.create({ living: false, info: null })
  let count = 0
  return {
    user_id,
    async deliver(event: object, { id = '', ago = 0 } = {}) {
      count += 1
      const at = new Date(Date.now() - ago * 1000)
      return (
        await receive(
          await delivery({ user_id, ...event }, { id: id || `${step}-${attempt}-${count}`, at }),
        )
      ).status
    },
    async expect(text: string, expected: unknown) {
      const { rows } = await database.query(text.replaceAll('$user', `'${user_id}'`))
      assert.deepEqual(rows, expected)
    },
  }
}

const nights = 'select total from health.sleep where user_id = $user order by id'

const steps: Record<string, (program: Program) => Promise<unknown>> = {
  live: ({ team }) => team.clock.advance('1d'),
  backfill: ({ sync, user_id }) => sync.backfill({ users: [user_id], ...days }),
  async 'newest version'(program) {
    const { deliver, expect, user_id } = person(program)
    const [created, updated] = ['daily.data.sleep.created', 'daily.data.sleep.updated']
    const id = user_id
    await deliver(nightEvent({ id, user_id, updated_at: early, total: 2 }, updated))
    await deliver(nightEvent({ id, user_id, updated_at: late, total: 1 }, updated))
    await expect(nights, [{ total: 2 }])
    // In the same second, a change is newer than the original record, whenever it arrives.
    await deliver(nightEvent({ id, user_id, updated_at: early, total: 3 }, created))
    await expect(nights, [{ total: 2 }])
    // Of two changes in the same second, the one sent later is newer.
    await deliver(nightEvent({ id, user_id, updated_at: early, total: 4 }, updated), { ago: 60 })
    await expect(nights, [{ total: 2 }])
    await deliver(nightEvent({ id, user_id, created_at: late, total: 5 }, updated))
    await expect(nights, [{ total: 2 }])
    const [one, two] = [early, '2026-01-06T08:00:01Z'].map((updated_at, index) => ({
      ...{ id: `${user_id}-b`, user_id, updated_at, total: index },
    }))
    await deliver({ event_type: 'historical.data.sleep.created', data: { data: [two, one] } })
    await expect(nights, [{ total: 2 }, { total: 1 }])
  },
  async samples(program) {
    const { deliver, expect } = person(program)
    const timestamp = '2026-01-05T23:00:00Z'
    await deliver(heartrateEvent([{ timestamp, value: 60 }]), { ago: 30 })
    const same = { timestamp: '2026-01-06T00:00:00+01:00', value: 61, beats: 'unknown' }
    await deliver(heartrateEvent([same], 'daily.data.heartrate.updated'), { ago: 60 })
    const source = { provider: 'garmin', type: 'watch', app_id: null }
    const other = { data: [{ timestamp, value: 70, unit: 'bpm' }], source }
    await deliver({ event_type: 'daily.data.heartrate.created', data: other })
    await expect(
      `select value, source_provider, record -> 'beats' as beats from health.samples
where user_id = $user order by value`,
      [
        { value: 61, source_provider: 'oura', beats: 'unknown' },
        { value: 70, source_provider: 'garmin', beats: null },
      ],
    )
  },
  async unknown(program) {
    const { deliver, expect } = person(program)
    await deliver({ event_type: 'daily.data.mood.created', data: { data: [{ mood: 'fine' }] } })
    await deliver({ event_type: 'daily.data.sleep.created', data: { data: [{ total: 1 }] } })
    await expect(
      'select reason from health.unknown_events where user_id = $user::text order by reason',
      [{ reason: 'content' }, { reason: 'type' }],
    )
  },
  async visit(program) {
    const { deliver, expect, user_id } = person(program)
    const visit = (status: string, times: readonly string[]) => ({
      event_type: 'labtest.appointment.updated',
      data: { id: user_id, status, events: times.map((created_at) => ({ created_at })) },
    })
    const last = '2026-01-06T10:00:00Z'
    await deliver(visit('completed', [late, last]))
    await deliver(visit('confirmed', [early]))
    const text = 'select status from health.appointments where user_id = $user'
    await expect(text, [{ status: 'completed' }])
  },
  async 'poison and retry'(program) {
    const { deliver, expect, user_id } = person(program)
    const id = `poison-${program.attempt}`
    const poison = nightEvent({ id, user_id, total: 1e6 })
    const statuses = [await deliver(poison, { id }), await deliver(poison, { id })]
    assert.deepEqual(statuses, [500, 200])
    await expect(
      'select attempts, is_parked from health.failed_messages where user_id = $user::text',
      [{ attempts: 2, is_parked: true }],
    )
    assert.equal((await program.sync.retry()).stored, 0)
    await database.exec('alter table health.sleep drop constraint if exists low')
    try {
      assert.equal((await program.sync.retry()).stored, 1)
      await expect(nights, [{ total: 1e6 }])
      assert.equal((await program.sync.retry()).stored, 0)
    } finally {
      await database.exec('delete from health.sleep where total >= 1000000')
      await database.exec('alter table health.sleep add constraint low check (total < 1000000)')
    }
  },
  async verify(program) {
    const { user_id } = person(program)
    const users = [user_id]
    program.team.faults.clear()
    program.team.faults.add({ on: 'summaries.list', when: { first: 1 }, then: { status: 403 } })
    await assert.rejects(program.sync.backfill({ users, ...days }))
    program.team.faults.clear()
    await program.sync.backfill({ users, ...days })
    await assertSame(program, user_id)
    for (const statement of [
      `delete from health.activity where user_id = '${user_id}' and calendar_date > '2025-05-20'`,
      `update health.sleep set total = 1 where user_id = '${user_id}';
update health.meals set sync_version = '-infinity', name = '' where user_id = '${user_id}'`,
    ]) {
      await database.exec(statement)
      assert.ok(!(await program.sync.verify({ users, ...days, repair: false })).isComplete)
      assert.ok((await program.sync.verify({ users, ...days })).isComplete)
      await assertSame(program, user_id)
    }
  },
  async disconnect(program) {
    const { deliver, expect, user_id } = person(program)
    const connected = {
      event_type: 'provider.connection.created',
      data: { provider: { slug: 'oura' } },
    }
    const deliverNight = (id: string) => deliver(nightEvent({ id: `${user_id}-${id}`, user_id }))
    program.team.connections.create({ user_id, provider: 'oura' })
    await deliver(connected, { ago: 100 })
    await deliverNight('a')
    await program.sync.disconnect(user_id, 'oura')
    await deliverNight('b')
    await expect(nights, [])
    // This event was sent before the connection was removed.
    await deliver(connected, { ago: 90 })
    await deliverNight('c')
    await expect(nights, [])
    await deliver(connected, { ago: -2 })
    await deliverNight('d')
    await expect(nights, [{ total: 100 }])
    const text = 'select status from health.connections where user_id = $user'
    await expect(text, [{ status: 'connected' }])
  },
  async forget(program) {
    const { deliver, expect, user_id } = person(program)
    await deliver(nightEvent({ id: user_id, user_id }))
    await deliver(heartrateEvent([{ timestamp: early, value: 60 }]))
    await deliver({ event_type: 'mood.created', data: {} })
    const { deleted, left } = await program.sync.forget(user_id.toUpperCase())
    assert.deepEqual([deleted, left], [{ sleep: 1, samples: 1, unknown_events: 1 }, 0])
    await deliver(nightEvent({ id: user_id, user_id }))
    await deliver({ event_type: 'mood.created', data: {}, user_id: user_id.toUpperCase() })
    await expect(nights, [])
    await expect('select 1 from health.samples where user_id = $user', [])
    await expect('select 1 from health.unknown_events where lower(user_id) = $user', [])
  },
  async 'verify again'({ sync, user_id }) {
    assert.ok((await sync.verify({ users: [user_id], ...days })).isComplete)
  },
}

async function assertSame({ client, team }: Program, user_id: string): Promise<void> {
  const stored = (await syncedRows(database, 'health', user_id)).map(({ id, total }) => [id, total])
  for (const resource of ['sleep', 'activity', 'body'] as const) {
    const query = { start_date: days.from, end_date: days.to }
    const records = Object.values(await client.summaries.list(user_id, resource, query)).flat()
    assert.ok(records.length > 0, `${team.users.size} users`)
    for (const record of records) {
      const { id, total } = Object(record)
      assert.ok(
        stored.some((row) => row[0] === id && row[1] === total),
        resource,
      )
    }
  }
}

async function work(program: Program): Promise<void> {
  program.attempt += 1
  const all = Object.values(steps)
  for (; program.step < all.length; program.step += 1) await all[program.step]?.(program)
}

/**
 * Explores a program that uses every function of sync, for 10 minutes: `npm run lab sync-explore`. Rejects if a table
 * is wrong.
 */
export function exploreSync(options: Pick<ExploreOptions<Program>, 'budget' | 'print'>) {
  return explore({
    ...options,
    setup,
    scenario: work,
    async restart(program) {
      Object.assign(program, open(program))
      await work(program)
    },
    async check({ team, user_id }) {
      const stored = await syncedRows(database, 'health', user_id)
      assert.deepEqual(differencesOf(team.truth(user_id), stored), [])
    },
    // Statements take real time on a busy machine.
    runTimeout: 600_000,
  })
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  await exploreSync({ budget: { seconds: 60 * Number(process.argv[2] ?? 10) } })
  process.exit()
}
