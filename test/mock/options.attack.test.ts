import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMock, type Fault, MockError, type TimeSpan } from '../../mock/index.ts'
import { call } from '../support/call.ts'
import { runsOf } from '../support/long-tests.ts'
import { fc } from '../support/properties.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('options', () => {
  const spans = ['99999999999d', '1e3', Number.NaN, -1, -0.5, 1e21, [5], {}, null, true]
  it.each(spans.map((span) => [span]))('cannot have a time span of %j', async (span) => {
    const team = createMock().team()
    const odd = span as TimeSpan
    await expect(team.clock.advance(odd)).rejects.toMatchObject({ code: 'invalid_time' })
    expect(() => team.faults.add({ then: { latency: odd } })).toThrow(MockError)
    expect(() => team.configure({ signInTokenLifetime: odd })).toThrow(MockError)
    expect(team.clock.now()).toEqual(new Date('2025-06-01T09:00:00Z'))
  })

  it('of a new team cannot be changed later', () => {
    const team = createMock().team({ now: '2025-06-01', timeZone: 'Europe/Berlin' })
    const { settings } = team
    const changes: object[] = [{ now: '2025-06-02' }, { clock: 'manual' }, { timeZone: 'UTC' }]
    for (const change of changes) {
      expect(() => team.configure(change)).toThrow(
        /^Option '\w+' cannot be changed after the team is created/,
      )
      expect(team.settings).toBe(settings)
    }
    const same: object = { now: '2025-06-01', clock: 'auto', timeZone: 'Europe/Berlin' }
    team.configure(same)
    expect(team.settings).toEqual(settings)
  })

  it('change only through configure, for every state of a team', () => {
    const mock = createMock()
    const [team, configured] = [mock.team(), mock.team({ providerPriority: ['oura'] })]
    configured.configure({ regionalPayors: { MEDFED: { CA: 'MEDCA' } } })
    const restored = mock.team()
    restored.restore(team.snapshot())
    const reset = mock.team({ strictPayors: true })
    reset.reset()
    for (const { settings } of [mock.defaultTeam, team, configured, restored, reset]) {
      expect(() => Object.assign(settings, { strictInsurance: true })).toThrow(TypeError)
      expect(() => (settings.providerPriority as string[]).push('fitbit')).toThrow(TypeError)
      expect(() => Object.assign(settings.regionalPayors, { MAIDFED: {} })).toThrow(TypeError)
    }
    expect(createMock().defaultTeam.settings.providerPriority).toEqual([])
  })

  const instants = [8.64e15 + 1, Number.NaN, Number.POSITIVE_INFINITY, 'fault 1', '2025-02-30']
  it.each([...instants, null, true, ['2030-01-01'], '+999999-01-01'].map((one) => [one]))(
    'are rejected the moment %j',
    async (instant) => {
      const odd = instant as string
      const team = createMock().team()
      await expect(team.clock.advanceTo(odd)).rejects.toMatchObject({ code: 'invalid_time' })
      expect(() => createMock({ now: odd })).toThrow(MockError)
      expect(() => team.faults.add({ during: { from: odd }, then: 'html' })).toThrow(MockError)
    },
  )

  it('read a string without an offset as UTC, in every time zone', () => {
    const team = createMock().team({ now: '2025-06-01T09:00:00' })
    expect(team.clock.now()).toEqual(new Date('2025-06-01T09:00:00Z'))
  })

  const faults: unknown[] = [
    { when: { first: 1, nth: 2 }, then: 'html' },
    { when: {}, then: 'html' },
    { when: { first: '1' }, then: 'html' },
    { when: null, then: 'html' },
    { when: { probability: '0.5' }, then: 'html' },
    { when: { probability: Number.NaN }, then: 'html' },
    { on: 5, then: 'html' },
    { when: { first: 1 }, than: 'html' },
    { during: { from: '2030-01-01', until: '2025-01-01' }, then: 'html' },
    { during: { till: '2025-01-01' }, then: 'html' },
    { during: 'always', then: 'html' },
    { then: { status: 503, latency: '1s' } },
    { then: { status: 503, retryAfterAs: 'minutes' } },
    { then: { status: 503, body: () => 1 } },
    { then: { rateLimit: { requests: -1, per: '1s' } } },
    { then: { rateLimit: { requests: 1.5, per: '1s' } } },
    { then: { rateLimit: { requests: 1, per: 0 } } },
    { then: { rateLimit: null } },
    { then: { redirect: 5 } },
    { then: { constructor: 1 } },
    { then: null },
    {},
    null,
  ]
  it.each(faults.map((fault) => [fault]))('cannot have the fault %j', (fault) => {
    const team = createMock().team()
    expect(() => team.faults.add(fault as unknown as Fault)).toThrow(MockError)
    expect(team.faults.list()).toEqual([])
  })

  const settings: object[] = [
    { journalLimit: -1 },
    { journalLimit: Number.NaN },
    { journalBytes: '1 MB' },
    { outboxLimit: 1.5 },
    { aggregate: 'yes' },
    { oauthCredentials: 'oura' },
    { oauthCredentials: [5] },
    { regionalPayors: { MEDFED: { AZ: 5 } } },
    { regionalPayors: { OTHER: {} } },
    { regionalPayors: null },
    { clock: 'warp' },
    { autoTeamLimit: 0 },
  ]
  it.each(settings.map((options) => [options]))('of a mock cannot be %j', (options) => {
    expect(() => createMock(options as never)).toThrow(MockError)
  })

  it('of the clock are rejected if they are invalid', async () => {
    const { clock } = createMock().team()
    expect(() => Object.assign(clock, { mode: 'warp' })).toThrow(MockError)
    await expect(clock.whenWaiting(Number.NaN)).rejects.toBeInstanceOf(MockError)
    await expect(clock.whenWaiting(-1)).rejects.toBeInstanceOf(MockError)
  })

  it.each([
    { types: 'daily.*' },
    { types: [5] },
    { types: ['daily.data.slep.*'] },
    { secret: 5 },
    { concurrency: 0 },
    { id: 5 },
  ])('of a webhook cannot be %j', (options) => {
    const { webhooks } = createMock().team()
    const handler = () => new Response()
    expect(() => webhooks.add({ handler, ...options } as never)).toThrow(MockError)
    expect(webhooks.list()).toEqual([])
  })

  it('and records are rejected if they cannot be copied', () => {
    const team = createMock().team()
    const odd = { info: () => 1 } as never
    expect(() => team.users.create(odd)).toThrow(MockError)
    expect(() => team.users.create({ info: { first_name: 1n as never } })).toThrow(MockError)
    team.configure({ strictResponses: false })
    team.users.create({ user_id: 'big', info: { first_name: 1n as never } })
    expect(() => team.snapshot()).toThrow(MockError)
  })
})

describe('a pattern of event types', () => {
  it('takes no time to match, even with many stars', () => {
    const team = createMock().team()
    const type = `${'ab'.repeat(5000)}`
    team.trigger(type, {}, { unknown: true })
    const started = performance.now()
    expect(team.events.list(`${'*'.repeat(24)}x`)).toEqual([])
    expect(team.events.list(`${'*a'.repeat(2000)}x`)).toEqual([])
    expect(team.events.list(`${'*a*b'.repeat(2000)}*`)).toHaveLength(1)
    // A generous limit for a busy machine; a regular expression took 20 s with 24 stars.
    expect(performance.now() - started).toBeLessThan(5000)
  })

  it('matches as a regular expression would', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), maxLength: 8 })
    const types = fc.string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 1, maxLength: 10 })
    fc.assert(
      fc.property(letters, types, (pattern, type) => {
        const team = createMock().team()
        team.trigger(type, {}, { unknown: true })
        const parts = pattern.split('*').map((part) => part.replaceAll('.', '\\.'))
        const isMatch = new RegExp(`^${parts.join('.*')}$`).test(type)
        expect(team.events.list(pattern)).toHaveLength(isMatch ? 1 : 0)
      }),
      { numRuns: runsOf(300) },
    )
  })
})

describe('an option of the mock', () => {
  it.each<[string, object]>([
    ['a seed that is an object', { seed: {} }],
    ['a seed that is not a number', { seed: Number.NaN }],
    ['a base URL that is a number', { baseUrl: 5 }],
    ['a base URL without a scheme', { baseUrl: 'x' }],
  ])('is rejected for %s', (_, options) => {
    expect(() => createMock(options)).toThrow(expect.objectContaining({ code: 'invalid_option' }))
  })

  it.each([5, '', ' ', 'a\nb', 'a\u0100'])('is rejected for the API key %j', (apiKey) => {
    const options = { apiKey } as object
    const rejected = expect.objectContaining({ code: 'invalid_option' })
    expect(() => createMock().team(options)).toThrow(rejected)
    expect(() => createMock(options)).toThrow(rejected)
  })

  it('is rejected for a booking outcome of null', () => {
    const options = { bookingOutcome: null } as object
    const rejected = expect.objectContaining({ code: 'invalid_option' })
    expect(() => createMock().defaultTeam.configure(options)).toThrow(rejected)
  })
})

describe('the limit of the journal in bytes', () => {
  it('counts the headers of requests and responses', async () => {
    const team = createMock({ journalBytes: 100_000 }).defaultTeam
    for (let sent = 0; sent < 5; sent += 1) {
      await call(team, 'GET /v2/providers', undefined, { 'x-large': 'a'.repeat(60_000) })
    }
    expect(team.journal.requests()).toHaveLength(1)
    team.journal.clear()
    team.override('link.listProviders', () => ({ headers: { 'x-large': 'a'.repeat(60_000) } }))
    for (let sent = 0; sent < 5; sent += 1) await call(team, 'GET /v2/providers')
    expect(team.journal.requests()).toHaveLength(1)
  })
})
