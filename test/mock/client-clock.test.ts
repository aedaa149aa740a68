import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMock, type Team } from '../../mock/index.ts'
import { NotFoundError, ServiceClient, TimeoutError } from '../../src/index.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const hour = 3_600_000

/** Counts the timers of the platform. */
function spyOnTimers() {
  return [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'setInterval')]
}

function elapsed(team: Team): number {
  return team.clock.now().getTime() - Date.parse('2025-06-01T09:00:00Z')
}

function createTeam(options: Parameters<typeof createMock>[0] = {}): Team {
  return createMock({ now: '2025-06-01T09:00:00Z', ...options }).team()
}

/** Books an appointment after two responses 429. */
async function bookAfterTwoLimits(team: Team, client: ServiceClient) {
  const order = team.orders.create()
  team.faults.add({
    on: 'orders.bookPhlebotomyAppointment',
    when: { first: 2 },
    then: { status: 429, retryAfter: '1h' },
  })
  const booking = { booking_key: team.bookings.key() }
  const before = process.cpuUsage()
  const { data, response } = await client.orders
    .bookPhlebotomyAppointment(order.id, booking)
    .withResponse()
  const { user, system } = process.cpuUsage(before)
  return { cpu: user + system, data, response }
}

describe('a client of a mock waits in virtual time', () => {
  it('books after two responses 429 with Retry-After of an hour, without a timer', async () => {
    const team = createTeam()
    const client = new ServiceClient({ ...team.connection(), deadline: 3 * hour })
    await client.link.listProviders() // loads the code of calls
    // The first bookings compile the code.
    for (let warmUp = 0; warmUp < 20; warmUp += 1) {
      const { id } = team.orders.create()
      await client.orders.bookPhlebotomyAppointment(id, { booking_key: team.bookings.key() })
    }
    const timers = spyOnTimers()
    const costs: number[] = []
    // Other work of the process may fall into one of the bookings, but not into each.
    for (let booking = 0; booking < 3; booking += 1) {
      const start = elapsed(team)
      const { cpu, data, response } = await bookAfterTwoLimits(team, client)
      costs.push(cpu)
      for (const timer of timers) expect(timer).not.toHaveBeenCalled()
      expect(data.status).toBe('confirmed')
      expect(response.attempts).toEqual([
        { status: 429, duration: 0, delay: 0 },
        { status: 429, duration: 0, delay: hour },
        { status: 200, duration: 0, delay: hour },
      ])
      expect(elapsed(team) - start).toBe(2 * hour)
    }
    expect(Math.min(...costs)).toBeLessThan(50_000)
  })

  it.each(['seconds', 'date'] as const)('waits for a Retry-After in %s', async (retryAfterAs) => {
    const team = createTeam()
    team.faults.add({ when: { first: 1 }, then: { status: 429, retryAfter: '1m', retryAfterAs } })
    await new ServiceClient(team.connection()).link.listProviders()
    expect(elapsed(team)).toBe(60_000)
  })

  it('recovers from a rate limit, with concurrent calls', async () => {
    const team = createTeam()
    team.faults.add({ then: { rateLimit: { requests: 3, per: '1m' } } })
    const client = new ServiceClient(team.connection())
    const calls = Array.from({ length: 6 }, () => client.link.listProviders().withResponse())
    const attempts = (await Promise.all(calls)).map(({ response }) => response.attempts.length)
    expect(attempts).toEqual([1, 1, 1, 2, 2, 2])
    expect(elapsed(team)).toBe(60_000)
  })

  it('backs off by the same time in every run', async () => {
    const run = async () => {
      const team = createTeam()
      team.faults.add({ when: { first: 2 }, then: { status: 502 } })
      await new ServiceClient(team.connection()).link.listProviders()
      return elapsed(team)
    }
    expect(await run()).toBeGreaterThan(0)
    expect(await run()).toBe(await run())
  })

  it('ends attempts at their timeout, and calls at their deadline', async () => {
    const team = createTeam()
    team.faults.add({ on: 'link.listProviders', then: { latency: '1h' } })
    const client = new ServiceClient({ ...team.connection(), maxRetries: 0 })
    const timers = spyOnTimers()
    await expect(client.link.listProviders().then()).rejects.toThrow(/timeout \(30000 ms\)/)
    expect(elapsed(team)).toBe(30_000)
    const short = client.link.listProviders({}, { deadline: 1000 })
    await expect(short.then()).rejects.toThrow(/deadline \(1000 ms\)/)
    expect(elapsed(team)).toBe(31_000)
    for (const timer of timers) expect(timer).not.toHaveBeenCalled()
  })

  it('gives a booking its four minutes', async () => {
    const team = createTeam({ synchronousBookingTimeout: '5m' })
    const { id } = team.orders.create()
    const client = new ServiceClient(team.connection())
    const { status } = await client.orders.bookPhlebotomyAppointment(id, {
      booking_key: 'bk_confirm_after_4m',
    })
    expect(status).toBe('confirmed')
    expect(elapsed(team)).toBe(240_000)
  })

  it('waits for the test in manual', async () => {
    const team = createTeam({ clock: 'manual' })
    team.faults.add({ when: { first: 1 }, then: { status: 429, retryAfter: '1m' } })
    const ended = vi.fn()
    const call = new ServiceClient(team.connection()).link.listProviders().then(ended)
    await team.clock.whenWaiting()
    await team.clock.advance(59_999)
    expect(ended).not.toHaveBeenCalled()
    await team.clock.advance(1)
    await call
    expect(elapsed(team)).toBe(60_000)
  })

  it('times out in manual when the test advances', async () => {
    const team = createTeam({ clock: 'manual' })
    team.faults.add({ then: { latency: '1h' } })
    const client = new ServiceClient({ ...team.connection(), maxRetries: 0 })
    const call = client.link.listProviders().catch((error: unknown) => error)
    await team.clock.whenWaiting()
    await team.clock.advance('30s')
    expect(await call).toBeInstanceOf(TimeoutError)
  })

  it('waits in real time in realtime', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const team = createTeam({ clock: 'realtime' })
    team.faults.add({ when: { first: 1 }, then: { status: 429, retryAfter: '1m' } })
    const ended = vi.fn()
    const call = new ServiceClient(team.connection()).link.listProviders().then(ended)
    await team.clock.whenWaiting()
    await vi.advanceTimersByTimeAsync(59_000)
    expect(ended).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1000)
    await call
  })

  it("waits under Vitest's fake timers", async () => {
    vi.useFakeTimers()
    const team = createTeam()
    team.faults.add({ when: { first: 2 }, then: { status: 503 } })
    const client = new ServiceClient(team.connection())
    expect(await client.link.listProviders()).not.toHaveLength(0)
  })

  it('releases time when a wait is aborted', async () => {
    const team = createTeam({ clock: 'manual' })
    team.faults.add({ then: { status: 429, retryAfter: '1m' } })
    const abort = new AbortController()
    const client = new ServiceClient(team.connection())
    const call = client.link.listProviders({}, { signal: abort.signal })
    const failure = call.catch((error: unknown) => error)
    await team.clock.whenWaiting()
    abort.abort(new Error('enough'))
    expect(await failure).toMatchObject({ name: 'AbortError', reason: new Error('enough') })
    await team.clock.advance('1h')
    expect(elapsed(team)).toBe(hour)
    expect(team.journal.count).toBe(1)
  })

  it('waits inside a webhook handler while the clock advances', async () => {
    const team = createTeam()
    const client = new ServiceClient(team.connection())
    team.faults.add({ on: 'link.*', when: { first: 1 }, then: { status: 429, retryAfter: '10s' } })
    const seen = vi.fn()
    team.webhooks.add({
      handler: async () => {
        seen(await client.link.listProviders())
        return new Response()
      },
    })
    team.trigger('daily.data.sleep.created')
    await team.clock.advance('1h')
    await team.webhooks.idle()
    expect(seen).toHaveBeenCalledOnce()
  })

  it('times out in real time if the request never arrives', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const team = createTeam()
    const fetch = () => new Promise<Response>(() => {})
    const client = new ServiceClient({ ...team.connection(), fetch, timeout: 10, maxRetries: 0 })
    const call = client.link.listProviders().catch((error: unknown) => error)
    await vi.waitUntil(() => vi.getTimerCount() > 0, { interval: 1, timeout: 60_000 })
    vi.advanceTimersByTime(10)
    expect(await call).toBeInstanceOf(TimeoutError)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('ends no call whose request or response is in transit when time jumps', async () => {
    const team = createTeam()
    const connection = team.connection()
    const limited = new ServiceClient({ ...connection, deadline: 3 * hour })
    await limited.link.listProviders() // loads the code of calls
    const turns = async () => {
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
    }
    const fetch = async (request: Request) => {
      await turns()
      const response = await connection.fetch(request)
      await turns()
      return response
    }
    const remote = new ServiceClient({ ...connection, fetch })
    team.faults.add({
      on: 'labTests.list',
      when: { first: 1 },
      then: { status: 429, retryAfter: '1h' },
    })
    const call = remote.link.listProviders().withResponse()
    await limited.labTests.list()
    expect(elapsed(team)).toBe(hour)
    expect((await call).response.attempts).toHaveLength(1)
  })

  it('keeps no time from passing after its calls', async () => {
    const team = createTeam()
    const client = new ServiceClient({ ...team.connection(), maxConcurrency: 1 })
    team.faults.add({ when: { first: 1 }, then: { status: 404 } })
    const calls = [client.link.listProviders(), client.link.listProviders()]
    const [first] = await Promise.allSettled(calls)
    expect(first).toMatchObject({ reason: expect.any(NotFoundError) })
    await team.clock.advance('1h')
    expect(elapsed(team)).toBe(hour)
  })
})
