import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createMock, MockError, type UserInput } from '../../../mock/index.ts'
import { personaNames } from '../../../mock/living/person/personas.ts'
import { recipe } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'
import { runsOf } from '../../support/long-tests.ts'

const wrong: [string, UserInput, RegExp][] = [
  [
    'persona',
    { persona: 'atlete' },
    /Unknown persona 'atlete'\. Did you mean athlete\? Known: .*older_adult/,
  ],
  [
    'persona',
    { persona: 'pirate' },
    /Unknown persona 'pirate'\. Use one of typical, athlete, office_worker/,
  ],
  [
    'zone',
    { time_zone: 'Europe/Berln' },
    /Unknown time zone 'Europe\/Berln'\. Did you mean Europe\/Berlin\?/,
  ],
  [
    'zone',
    { time_zone: 'Mars/Olympus' },
    /Unknown time zone 'Mars\/Olympus'\. Use one of .*Asia\/Tokyo/,
  ],
  [
    'provider',
    { connections: ['aura'] },
    /Unknown provider 'aura'\. Did you mean oura\? Known: oura, fitbit/,
  ],
  [
    'date',
    { born: '2030-01-01' },
    /Expected born to be a date such as '1990-05-17', from 1900-01-01 to 2025-06-01/,
  ],
  ['date', { born: '1899-12-31' }, /Expected born to be a date .* from 1900-01-01 /],
  [
    'date of birth',
    { info: { dob: '2025-06-02' } },
    /Expected info\.dob to be a date .*2025-06-01/,
  ],
  [
    'date of birth',
    { info: { dob: '1830-01-01' } },
    /Expected info\.dob to be a date .*1900-01-01/,
  ],
  [
    'date of birth',
    { born: '1990-05-17', info: { dob: '1990-05-18' } },
    /Expected born and info\.dob to be the same date of birth/,
  ],
  [
    'date',
    { born: '1990-02-30' },
    /^Expected born to be a date such as '1990-05-17', from 1900-01-01 to 2025-06-01\.$/,
  ],
]

it.each(wrong)(
  'rejects an invalid %s of a user before anything is created',
  (_, input, message) => {
    const team = createMock({ now: '2025-06-01T09:00:00Z' }).team({ living: true })
    expect(() => team.users.create(input)).toThrow(message)
    expect(() => team.users.create(input)).toThrow(MockError)
    expect([team.users.size, team.connections.size, team.events.count]).toEqual([0, 0, 0])
  },
)

it('creates a user with a persona, a time zone, an age and connections', () => {
  const team = createMock().team()
  const user = team.users.create({
    persona: 'pregnancy',
    time_zone: 'Asia/Tokyo',
    connections: ['oura', 'oura', 'withings'],
  })
  expect(user).toMatchObject({ persona: 'pregnancy', time_zone: 'Asia/Tokyo' })
  expect(user.living).toBeUndefined()
  expect(user.info).toMatchObject({ gender: 'female', dob: user.born })
  expect(team.connections.list().map(({ provider }) => provider)).toEqual(['oura', 'withings'])
  expect(Object.keys(team.users.create())).not.toContain('persona')
})

it.each([
  ['info', { info: { gender: 'male', dob: '1950-01-01' } }, 'male', '1950-01-01'],
  ['equal dates', { born: '1950-01-01', info: { dob: '1950-01-01' } }, /male/, '1950-01-01'],
  ['a persona', { persona: 'athlete', info: { gender: 'female' } }, 'female', /^20|^19/],
  [
    'a persona of another sex',
    { persona: 'pregnancy', info: { gender: 'male', dob: '1992-03-04' } },
    'male',
    '1992-03-04',
  ],
  ['another gender', { born: '1980-01-01', info: { gender: 'other' } }, /male/, '1980-01-01'],
] satisfies [string, UserInput, string | RegExp, string | RegExp][])(
  'gives the body the sex and the date of birth of %s',
  (_, input, sex, birth) => {
    const team = createMock({ seed: 2 }).team()
    const { user_id, info } = team.users.create({ ...input, connections: ['oura'], living: true })
    const [profile] = team.truth(user_id, 'profile')
    expect(profile).toMatchObject({
      sex: expect.stringMatching(sex),
      birth_date: expect.stringMatching(birth),
    })
    expect(info?.dob).toBe(profile?.['birth_date'])
    if (!('gender' in (input.info ?? {}))) expect(info?.gender).toBe(profile?.['sex'])
    expect(info?.gender_identity).toBe(profile?.['sex'])
  },
)

it.each(['2012-06-15', '1965-02-01'])(
  'computes the body mass index of somebody born on %s with the height in the profile',
  async (born) => {
    const team = createMock({ seed: 5, now: '2025-03-04T09:00:00Z' }).team({ living: true })
    const { user_id } = team.users.create({ born, connections: ['withings'] })
    await team.clock.advance('30d')
    const profiles = team.truth(user_id, 'profile')
    const bodies = team.truth(user_id, 'body')
    expect(bodies.length).toBeGreaterThan(5)
    for (const { weight, body_mass_index, calendar_date } of bodies) {
      const profile = profiles.findLast(({ date }) => String(date) <= String(calendar_date))
      const index = Number(weight) / (Number(profile?.['height']) / 100) ** 2
      expect(Math.abs(Number(body_mass_index) - index)).toBeLessThanOrEqual(0.0501)
    }
  },
)

it('keeps the body when the API changes the personal data', async () => {
  const team = createMock().team()
  const info = { gender: 'male', dob: '1950-01-01' }
  const { user_id } = team.users.create({ info, connections: ['withings'], living: true })
  const rows = team.truth(user_id)
  const changed = { ...team.users.get(user_id)?.info, gender: 'female', dob: '1999-01-01' }
  expect((await call(team, `PATCH /v2/user/${user_id}/info`, changed)).status).toBe(200)
  expect(team.users.get(user_id)?.info).toMatchObject({ gender: 'female', dob: '1999-01-01' })
  expect(team.truth(user_id)).toEqual(rows)
})

it.each(personaNames)('connects a living %s to the documented providers', (persona) => {
  const team = createMock().team()
  const { user_id } = team.users.create({ persona, living: true })
  const providers = team.connections.list({ user_id }).map(({ provider }) => `\`${provider}\``)
  const page = readFileSync('docs/testing/living-users.md', 'utf8')
  const row = page.split('\n').find((line) => line.startsWith(`| \`${persona}\` |`))
  expect(row).toMatch(new RegExp(`[|] ${providers.join(', ')} [|]$`))
  expect(team.users.create({ persona }).living).toBeUndefined()
  expect(team.connections.size).toBe(providers.length)
})

it('has the glucose of a living person with type 1 diabetes', async () => {
  const team = createMock().team()
  const { user_id } = team.users.create({ persona: 'type_1_diabetic', living: true })
  await team.clock.advance('2h')
  expect(team.truth(user_id, 'glucose').length).toBeGreaterThan(500)
})

it('reads the data that has arrived, not what will', async () => {
  const team = createMock({ now: '2025-06-01T09:00:00Z' }).team()
  const { user_id } = team.users.create({ connections: ['oura'], living: true })
  const path = `GET /v2/summary/sleep/${user_id}?start_date=2025-06-02`
  expect((await call(team, path)).body.sleep).toEqual([])
  await team.clock.advance('10d')
  const { sleep } = (await call(team, path)).body
  const sent = team
    .truth(user_id, 'sleep')
    .filter(({ calendar_date }) => String(calendar_date) > '2025-06-01')
  expect(sleep.length).toBeGreaterThan(3)
  expect(
    sleep.map(({ id, updated_at }: Record<string, string>) => [id, updated_at]).toSorted(),
  ).toEqual(sent.map(({ id, updated_at }) => [id, updated_at]).toSorted())
})

it('keeps what arrived before a connection was deleted, and sends it again to a new one', async () => {
  const team = createMock({ now: '2025-06-01T09:00:00Z' }).team()
  const { user_id } = team.users.create({ connections: ['eight_sleep'], living: true })
  await team.clock.advance('5d')
  await call(team, `DELETE /v2/user/${user_id}/eight_sleep`)
  const { count } = team.events
  const rows = team.truth(user_id)
  await team.clock.advance('5d')
  expect([team.events.count, team.truth(user_id)]).toEqual([count, rows])
  team.connections.create({ user_id, provider: 'eight_sleep' })
  expect(team.truth(user_id, 'sleep').length).toBeGreaterThan(
    rows.filter(({ resource }) => resource === 'sleep').length,
  )
  expect(
    new Set(
      team
        .truth(user_id)
        .map((row) => JSON.stringify([row['resource'], row['id'], row['timestamp']])),
    ).size,
  ).toBe(team.truth(user_id).length)
})

it('connects a living user with a bulk import', async () => {
  const team = createMock().team({ importTimePerConnection: '1m' })
  const { user_id } = team.users.create({ connections: [], living: true })
  expect(team.events.count).toBe(0)
  const connections = [recipe(user_id)]
  await call(team, 'POST /v2/link/bulk_import', { provider: 'oura', connections })
  await team.clock.advance('1m')
  expect(team.events.list()[0]).toMatchObject({
    event_type: 'provider.connection.created',
    user_id,
  })
  expect(team.events.list('historical.data.sleep.created')).toHaveLength(1)
})

it('makes all users of a team live, unless they say otherwise', async () => {
  const team = createMock().team({ living: true })
  expect(team.users.create().living).toBe(true)
  expect(team.users.create({ living: false }).living).toBeUndefined()
})

it('emits nothing of thousands of living users until somebody reads', async () => {
  const count = runsOf(10_000)
  const team = createMock().team({ living: true })
  for (let index = 0; index < count; index += 1) team.users.create({ connections: ['oura'] })
  await team.clock.advance('365d')
  expect(team.clock.pending()).toEqual([])
})

it('sends nights first tentative, late syncs, repeated events and failed connections', async () => {
  const team = createMock({ seed: 5, now: '2025-01-06T09:00:00Z' }).team({ outboxLimit: 100_000 })
  const { user_id } = team.users.create({
    persona: 'athlete',
    connections: ['garmin'],
    living: true,
  })
  await team.clock.advance('200d')
  const nights = team.events.list('daily.data.sleep.*').map(({ event_type, body, at }) => {
    const [night] = Object(body['data']).data
    return {
      event_type,
      id: night.id,
      state: night.state,
      at: at.getTime(),
      end: Date.parse(night.bedtime_stop),
    }
  })
  const tentative = nights.filter(({ state }) => state === 'tentative')
  expect(tentative.length).toBeGreaterThan(20)
  const final = nights.find(({ id, state }) => id === tentative[1]?.id && state === 'confirmed')
  expect(final?.event_type).toBe('daily.data.sleep.updated')
  const day = 86_400_000
  expect(nights.filter(({ at, end }) => at - end > 1.5 * day).length).toBeGreaterThan(0)
  const bodies = team.events
    .list('daily.data.sleep.created')
    .map(({ body }) => JSON.stringify(body))
  expect(new Set(bodies).size).toBeLessThan(bodies.length)
  const errors = team.events.list('provider.connection.error')
  expect(errors.length).toBeGreaterThan(0)
  expect(errors[0]?.body).toMatchObject({ user_id, data: { error_type: 'token_refresh_failed' } })
  const connected = team.events.list('provider.connection.created')
  expect(connected.length).toBe(errors.length + 1)
})

it('moves the lab orders of living users on to their results', async () => {
  const team = createMock({ seed: 2 }).team()
  const { user_id } = team.users.create({ connections: [], living: true })
  const testkit = team.orders.create({ user_id, collection_method: 'testkit' })
  const visit = team.orders.create({ user_id })
  const unbooked = team.orders.create({ user_id })
  const ofOther = team.orders.create({ collection_method: 'testkit' })
  const { id, start_at } = team.appointments.create({ order_id: visit.id })
  await team.clock.advanceTo(String(start_at))
  expect(team.appointments.get(id)?.status).toBe('in_progress')
  await team.clock.advance('30d')
  expect(team.appointments.get(id)?.status).toBe('completed')
  const statuses = [testkit, visit, unbooked, ofOther].map(
    (order) => team.orders.get(order.id)?.status,
  )
  expect(statuses).toEqual(['completed', 'completed', 'received', 'received'])
  expect(team.orders.get(testkit.id)?.results).not.toBeNull()
  const steps = team.events
    .list('labtest.order.updated')
    .map(({ body }) => Object(body['data']))
    .filter((order) => order.id === testkit.id)
  expect(steps.map(({ status }) => status)).toEqual(['collecting_sample', 'completed'])
  expect(team.clock.pending()).toEqual([])
})

it('shows no data of a living user without connections', async () => {
  const team = createMock().team({ living: true })
  const { user_id } = team.users.create({ connections: [] })
  const path = `GET /v2/summary/activity/${user_id}?start_date=2025-01-01`
  expect((await call(team, path)).body.activity).toEqual([])
  team.connections.create({ user_id, provider: 'oura' })
  const { activity } = (await call(team, path)).body
  expect(activity.length).toBeGreaterThan(5)
  expect(activity).toHaveLength(team.truth(user_id, 'activity').length)
})

it('lets the users of a fixture live', async () => {
  const user_id = '3fa85f64-5717-4562-b3fc-2c963f66afa6'
  const fixture = {
    users: [
      { persona: 'athlete', living: true, connections: ['oura'] },
      { user_id, living: true },
    ],
    connections: [{ user_id, provider: 'fitbit' }],
  }
  const received: string[] = []
  const team = createMock().team()
  team.webhooks.add({
    handler: async (request) => {
      received.push((await request.json()).event_type)
      return new Response()
    },
  })
  const { users } = await team.seed(fixture)
  await team.clock.advance('2d')
  for (const { user_id } of users) {
    expect(team.truth(user_id, 'activity').length).toBeGreaterThan(8)
  }
  expect(team.truth(user_id).some(({ source }) => source.provider === 'fitbit')).toBe(true)
  expect(received.filter((type) => type === 'provider.connection.created')).toHaveLength(
    team.connections.size,
  )
  expect(received).toContain('daily.data.sleep.created')
})

it('continues with the connections of a user who was deleted and is created again', async () => {
  const team = createMock().team()
  const { user_id } = team.users.create({ connections: ['oura'], living: true })
  team.users.delete(user_id)
  team.users.create({ user_id, connections: ['oura'], living: true })
  await team.clock.advance('3d')
  const [latest] = team.events.list('daily.data.sleep.*').toReversed()
  expect(latest?.at.getTime()).toBeGreaterThan(team.clock.now().getTime() - 2 * 86_400_000)
})

it('creates the user of a triggered event without a life', () => {
  const team = createMock().team({ living: true })
  team.trigger('daily.data.sleep.created')
  expect(team.events.count).toBe(1)
  expect(team.users.list().map(({ living }) => living)).toEqual([undefined])
  expect(team.connections.size).toBe(0)
})

it('sends the stages of a night with its confirmed version only', async () => {
  const team = createMock({ seed: 5 }).team({ living: true })
  team.users.create({ connections: ['oura'] })
  await team.clock.advance('10d')
  const nights = team.events.list('daily.data.sleep.*').flatMap(({ body, at }) => {
    const { data } = Object(body['data'])
    return [data].flat().map(({ id, state }) => ({ id, state, at: at.getTime() }))
  })
  const cycles = team.events.list('daily.data.sleep_cycle.*')
  expect(cycles.length).toBeGreaterThan(5)
  const confirmed = new Set(
    nights.filter(({ state }) => state === 'confirmed').map(({ id, at }) => `${id} ${at}`),
  )
  expect(nights.some(({ state }) => state === 'tentative')).toBe(true)
  for (const { body, at } of cycles) {
    for (const { sleep_id } of Object(body['data']).data) {
      expect(confirmed).toContain(`${sleep_id} ${at.getTime()}`)
    }
  }
})

it('gives new users without a persona that of the team', () => {
  const team = createMock().team({ persona: 'type_1_diabetic', living: true })
  expect(team.users.create().persona).toBe('type_1_diabetic')
  expect(team.users.create({ persona: 'athlete' }).persona).toBe('athlete')
  team.configure({ persona: null })
  expect(team.users.create().persona).toBeUndefined()
  expect(() => team.configure({ persona: 'pirate' })).toThrow(
    /persona to be one of typical, .* got "pirate"/,
  )
})
