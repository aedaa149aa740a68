import { expect, it } from 'vitest'
import { createMock, explainDifference, type StoredRow, type Team } from '../../../mock/index.ts'
import { parseEvent, recordsOf, sourceOf } from '../../../src/events/index.ts'

/** Returns a team with a living user whose data arrived, and the user. */
async function liveTeam(connections = ['withings', 'oura'], deprecatedFields?: 'always') {
  const team = createMock({ seed: 3, ...(deprecatedFields && { deprecatedFields }) }).team()
  const { user_id } = team.users.create({ living: true, connections })
  await team.clock.advance('1d')
  return { team, user_id }
}

/** Returns the stored rows of a consumer with changes in those of some kind. */
function changed(
  rows: readonly StoredRow[],
  isChanged: (row: StoredRow) => boolean,
  change: (row: StoredRow) => StoredRow,
): StoredRow[] {
  return rows.map((row) => (isChanged(row) ? change(row) : row))
}

const isSample = ({ timestamp, id }: StoredRow) => timestamp !== undefined && typeof id !== 'string'

/** Returns the rows of a consumer that stores the sources of `sourceOf`. */
function consume(team: Team): StoredRow[] {
  const rows = new Map<string, StoredRow>()
  for (const { body } of team.events.list()) {
    const event = parseEvent(body)
    const resource = event.event_type.split('.')[2]
    const source = sourceOf(event)
    for (const record of recordsOf(event)) {
      const row = { ...record, resource, user_id: event.user_id, source }
      const isRecord = typeof record['id'] === 'string'
      const id = isRecord ? record['id'] : [source, record['timestamp']]
      const key = JSON.stringify([resource, id])
      const known = rows.get(key)?.['updated_at']
      if (String(known ?? '') <= String(record['updated_at'] ?? '')) rows.set(key, row)
    }
  }
  return [...rows.values()]
}

it.each([undefined, 'always'] as const)(
  'accepts the sources of sourceOf, with deprecated fields "%s"',
  async (deprecatedFields) => {
    const { team } = await liveTeam(['oura', 'withings'], deprecatedFields)
    expect(explainDifference(team, consume(team))).toBeUndefined()
  },
)

it('compares a source by provider, type and app, and names what differs', async () => {
  const { team, user_id } = await liveTeam()
  const rows = team.truth(user_id)
  const withSource = (change: object) =>
    rows.map((row, at) => (at === 0 ? { ...row, source: { ...row.source, ...change } } : row))
  const { provider, type } = rows[0]?.source ?? {}
  const plain = rows.map((row) => ({
    ...row,
    source: { provider: row.source.provider, type: row.source.type },
  }))
  expect(explainDifference(team, plain)).toBeUndefined()
  expect(explainDifference(team, withSource({ app_id: 'com.example' }))).toMatchObject({
    kind: 'different',
    fields: ['source.app_id'],
    message: expect.stringContaining('(source.app_id)'),
  })
  expect(explainDifference(team, withSource({ provider: type, type: provider }))?.fields).toEqual([
    'source.provider',
    'source.type',
  ])
})

it('accepts times with an offset in any notation', async () => {
  const { team, user_id } = await liveTeam()
  const notations: ((time: string) => unknown)[] = [
    (time) => time.replace('+00:00', 'Z'),
    (time) => time.replace('T', ' ').replace('+00:00', '+00'),
    (time) => new Date(time),
  ]
  for (const notation of notations) {
    const rows = team
      .truth(user_id)
      .map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name,
            /^\d{4}-\d\d-\d\dT.*\+00:00$/.test(String(value)) ? notation(String(value)) : value,
          ]),
        ),
      )
    expect(explainDifference(team, rows)).toBeUndefined()
  }
})

it.each<[string, (row: StoredRow) => unknown, string]>([
  [
    'a source as a string',
    (row) => ({ ...row, source: 'oura' }),
    'Expected the source of the stored \\w+ rows without a string id to be an object .*, but got a string\\.',
  ],
  [
    'the id of a sample, but no source',
    (row) => ({ ...row, source: undefined, id: 7 }),
    'Expected the source of .* to be an object .*, but got nothing\\.',
  ],
  [
    'an invalid date',
    (row) => ({ ...row, timestamp: new Date('x') }),
    'Expected the timestamp of .*, but got an invalid Date\\.',
  ],
  [
    'a number as time',
    (row) => ({ ...row, timestamp: 1_750_000_000 }),
    'Expected the timestamp of .*, but got a number\\.',
  ],
  [
    'no user',
    ({ user_id: _, ...row }) => row,
    'Expected the user_id of .* to be a string, but got nothing\\.',
  ],
  [
    'no resource',
    ({ resource: _, ...row }) => row,
    'Expected the resource of .*, but got nothing\\.',
  ],
  [
    'a number as id',
    (row) => ({ ...row, resource: 'sleep', timestamp: undefined, id: 7 }),
    'Expected the id of .* to be a string, but got a number\\.',
  ],
  ['no object', () => 'row', 'Expected every stored row to be an object, but got a string\\.'],
])('names the invalid field of a row with %s', (_, change, message) => {
  const timestamp = '2025-06-01T09:00:00+00:00'
  const source = { provider: 'oura', type: 'ring' }
  const row = change({ resource: 'steps', user_id: 'user', source, timestamp, value: 3 })
  const team = createMock().team()
  // A consumer without types can store anything.
  expect(() => explainDifference(team, [row as StoredRow])).toThrow(new RegExp(`^${message}$`))
})

it('refuses rows that are not iterable', () => {
  const team = createMock().team()
  expect(() => explainDifference(team, {} as never)).toThrow(
    expect.objectContaining({
      code: 'invalid_option',
      message: 'Expected the stored rows to be an array or another iterable, but got an object.',
    }),
  )
  expect(() => explainDifference(team, Promise.resolve([]) as never)).toThrow(
    'got a promise. Await',
  )
})

it('names pending deliveries, and how to wait for them', async () => {
  const team = createMock({ living: true }).team()
  const rows: StoredRow[] = []
  team.webhooks.add({ handler: () => new Response(), delay: '1h' })
  team.trigger('daily.data.sleep.created')
  expect(explainDifference(team, rows)?.message).toMatch(
    / 1 delivery is still pending\. Before you compare, delete the users .* advance the clock by two days/,
  )
  await team.clock.advance('2d')
  expect(explainDifference(team, rows)?.message).not.toContain('pending')
})

it('says that nothing of a user is stored', async () => {
  const { team } = await liveTeam(['withings'])
  const other = team.users.create({ living: true, connections: ['withings'] })
  expect(explainDifference(team, team.truth(other.user_id))?.message).toMatch(
    /is missing\..* No rows are stored for this user\.$/,
  )
})

it.each<[string, (row: StoredRow) => StoredRow, RegExp]>([
  [
    'times',
    (row) => ({ ...row, timestamp: new Date(Date.parse(String(row['timestamp'])) + 7_000) }),
    /is missing\..* Some stored rows have times that no event delivered/,
  ],
  [
    'sources',
    (row) => ({ ...row, source: { provider: 'garmin', type: 'watch' } }),
    /is missing\..* A row with the same time but a different source is stored/,
  ],
])('says that samples are stored with other %s', async (_, change, message) => {
  const { team, user_id } = await liveTeam()
  const rows = changed(team.truth(user_id), isSample, change)
  expect(explainDifference(team, rows)?.message).toMatch(message)
})
