import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMock, MockError, type Team } from '../../mock/index.ts'
import { serve } from '../../mock/server.ts'
import { InternalServerError, ServiceClient, type ServiceError } from '../../src/index.ts'

afterEach(() => {
  vi.useRealTimers()
})

class OverrideError extends Error {
  override name = 'OverrideError'
}

/** What an override may throw. ky replaces the network error, and a frozen error cannot have a mark. */
const thrown: [string, Error | object][] = [
  ['an error of its own class', new OverrideError('boom')],
  ['a network error', new TypeError('fetch failed')],
  ['a frozen error', Object.freeze(new RangeError('frozen'))],
  ['an object', { reason: 'none' }],
]

/** The attempts that hooks saw. */
function countingClient(team: Team, options: object = {}) {
  const attempts: number[] = []
  const hooks = { request: ({ attempt }: { attempt: number }) => void attempts.push(attempt) }
  return { attempts, client: new ServiceClient({ ...team.connection(), hooks, ...options }) }
}

const failureOf = (call: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(call).then(
    () => expect.unreachable(),
    (error: unknown) => error,
  )

async function readAll(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}

describe('an error of the mock', () => {
  it.each(thrown)(
    'passes through the client unchanged if an override throws %s',
    async (_, error) => {
      const team = createMock().team()
      const before = Object.getOwnPropertyDescriptors(error)
      team.override('link.listProviders', () => {
        throw error
      })
      const { client, attempts } = countingClient(team)
      expect(await failureOf(client.link.listProviders())).toBe(error)
      expect(Object.getOwnPropertyDescriptors(error)).toEqual(before)
      expect(attempts).toEqual([1])
      expect(team.journal.count).toBe(1)
    },
  )

  it('passes through a fetch function of the user, and through a walk over pages', async () => {
    const team = createMock().team()
    const error = new OverrideError('boom')
    team.override('labTests.listMarkers', () => {
      throw error
    })
    const { fetch } = team.connection()
    const { client } = countingClient(team, { fetch: async (request: Request) => fetch(request) })
    expect(await failureOf(readAll(client.labTests.listMarkers()))).toBe(error)
  })

  it.each([
    ['nonsense', () => 42 as never, /override for link.listProviders returned an invalid response/],
    ['an impossible status', () => ({ status: 99 }), /expected a status from 200 to 599/],
    ['a body that cannot be sent', () => ({ body: () => 1 }), /headers or body cannot be sent/],
  ])('is a MockError if an override returns %s', async (_, override, message) => {
    const team = createMock().team()
    team.override('link.listProviders', override)
    const { client, attempts } = countingClient(team)
    const error = await failureOf(client.link.listProviders())
    expect(error).toBeInstanceOf(MockError)
    expect(error).toMatchObject({ code: 'invalid_option', message: expect.stringMatching(message) })
    expect(String((error as Error).stack)).toContain('overrides.ts')
    expect(attempts).toEqual([1])
  })

  it('is a MockError if an override throws something that is not an object', async () => {
    const team = createMock().team()
    team.override('link.listProviders', () => {
      throw 'boom'
    })
    const { client } = countingClient(team)
    expect(await failureOf(client.link.listProviders())).toMatchObject({
      name: 'MockError',
      cause: 'boom',
      message: 'An override threw boom, which is not an Error. Throw an Error.',
    })
  })

  it('names an impossible record', async () => {
    const team = createMock().team()
    team.providers.update('oura', { auth_type: 'unheard_of' })
    const { client, attempts } = countingClient(team)
    expect(await failureOf(client.link.listProviders())).toMatchObject({
      code: 'defect',
      message: expect.stringContaining('strictResponses: false'),
    })
    expect(attempts).toEqual([1])
  })

  it('names faked timers that would make a request hang', async () => {
    vi.useFakeTimers({ toFake: ['queueMicrotask'] })
    const { client, attempts } = countingClient(createMock().team())
    expect(await failureOf(client.link.listProviders())).toMatchObject({
      name: 'MockError',
      code: 'faked_microtasks',
    })
    expect(attempts).toEqual([1])
  })

  it('says that the team was reset while a request or a retry waited', async () => {
    const team = createMock({ clock: 'manual' }).team()
    const { client } = countingClient(team)
    team.faults.add({ on: 'link.listProviders', then: { latency: '1m' } })
    team.faults.add({ on: 'labTests.list', then: { status: 502 } })
    const failures = Promise.all([
      failureOf(client.link.listProviders()),
      failureOf(client.labTests.list()),
    ])
    await team.clock.whenWaiting(2)
    team.reset()
    expect(await failures).toEqual([
      expect.objectContaining({ code: 'invalid_state' }),
      expect.objectContaining({ code: 'invalid_state' }),
    ])
  })

  it('is reported to hooks with a code of its own', async () => {
    const team = createMock().team()
    team.override('link.listProviders', () => {
      throw new OverrideError()
    })
    const response = vi.fn()
    const { client } = countingClient(team, { hooks: { response } })
    await failureOf(client.link.listProviders())
    expect(response).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'MOCK' }))
  })

  it('is a response with status 500 and the whole message over HTTP', async () => {
    const mock = createMock()
    const team = mock.team()
    team.override('link.listProviders', () => ({ status: 99 }))
    team.override('labTests.list', () => {
      throw new OverrideError('boom')
    })
    const report = vi.fn()
    await using server = await serve(mock, { report })
    const client = new ServiceClient({ apiKey: team.apiKey, baseUrl: server.url, maxRetries: 0 })
    const error = await failureOf(client.link.listProviders())
    expect(error).toBeInstanceOf(InternalServerError)
    expect((error as InternalServerError).detail).toMatch(/expected a status from 200 to 599/)
    expect(
      ((await failureOf(client.labTests.list())) as ServiceError & { detail: unknown }).detail,
    ).toMatch(/boom/)
  })
})

it('still wraps the errors of a fetch function that is not a mock', async () => {
  const fetch = async () => {
    throw new OverrideError('boom')
  }
  const { client, attempts } = countingClient(createMock().team(), { fetch })
  expect(await failureOf(client.link.listProviders())).toMatchObject({ code: 'connection_failed' })
  expect(attempts).toEqual([1, 2, 3])
})
