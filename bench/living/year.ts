import { createMock, type Team } from '../../mock/index.ts'
import { streamRows } from '../../mock/living/events/truth.ts'
import { personaNames } from '../../mock/living/person/personas.ts'
import { DigestStore, type Row } from './digest-store.ts'

export interface YearSize {
  users: number
  days: number
}

export interface YearReport {
  rows: number
  events: number
  /** The CPU time per row, from its arrival to its storage, in milliseconds. */
  perRow: number
  /** The growth of the heap for each user, in bytes. */
  heapPerUser: number
}

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Tokyo',
  'Pacific/Auckland',
  'UTC',
] as const

/**
 * Delivers all events of living users to a consumer in this process, with every delivery fault.
 *
 * @throws {Error} if the consumer's rows are wrong.
 */
export async function runYear({ users, days }: YearSize): Promise<YearReport> {
  const mock = createMock({ seed: 20, now: '2025-01-01T00:00:00Z' })
  const team = mock.team({ outboxLimit: 100, journalLimit: 10 })
  const store = new DigestStore()
  team.webhooks.add({
    handler: async (request) => {
      for (const row of rowsOf((await request.json()) as DataEvent)) store.put(row)
      return new Response()
    },
    duplicates: 0.05,
    reorder: 20,
    lostResponses: 0.05,
    delay: '10m',
    concurrency: 4,
  })
  const before = heapUsed()
  const start = process.threadCpuUsage()
  for (let index = 0; index < users; index += 1) {
    const persona = personaNames[index % personaNames.length]
    const time_zone = zones[index % zones.length]
    team.users.create({
      ...(persona && { persona }),
      ...(time_zone && { time_zone }),
      living: true,
    })
  }
  for (let day = 0; day < days; day += 1) {
    await team.clock.advance('1d')
    process.stderr.write(day % 10 === 9 ? `  day ${day + 1}, ${store.count} rows\n` : '')
  }
  const { user, system } = process.threadCpuUsage(start)
  const heap = heapUsed() - before
  const events = team.events.count
  await finish(team)
  check(team, store)
  return {
    rows: store.count,
    events,
    perRow: (user + system) / 1000 / store.count,
    heapPerUser: Math.max(0, heap) / users,
  }
}

/** Measures the CPU time that `team.data.create` takes per row, in milliseconds. */
export function measureCreation(rows: number): number {
  const team = createMock({ seed: 20 }).team({ outboxLimit: 100 })
  const { user_id } = team.users.create()
  const start = process.threadCpuUsage()
  for (let index = 0; index < rows; index += 1) {
    const timestamp = new Date(Date.UTC(2025, 0, 1) + index * 60_000).toISOString().slice(0, 19)
    const source = { source_provider: 'garmin', source_type: 'watch' }
    const values = { timestamp, value: 50 + (index % 90), ...source }
    team.data.create({ user_id, resource: 'heartrate', values })
  }
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000 / rows
}

interface DataEvent {
  event_type: string
  user_id: string
  data: { data?: object[]; source: Row['source'] }
}

function rowsOf({ event_type, user_id, data }: DataEvent): Row[] {
  if (!/^(?:daily|historical)/.test(event_type)) return []
  const resource = event_type.split('.')[2] ?? ''
  return (data.data ?? []).map((item) => ({ resource, user_id, source: data.source, ...item }))
}

async function finish(team: Team): Promise<void> {
  for (const { user_id } of team.users.list()) team.users.update(user_id, { living: false })
  await team.clock.advance('2d')
}

function check(team: Team, store: DigestStore): void {
  const expected = new DigestStore()
  for (const { user_id } of team.users.list()) {
    for (const { row } of streamRows(user_id, team.state)) expected.put(row as unknown as Row)
  }
  if (store.digest() === expected.digest()) return
  throw new Error(`The consumer has ${store.digest()}, but must have ${expected.digest()}.`)
}

function heapUsed(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
