import { expect, it } from 'vitest'
import { AbortError, NotFoundError, ServiceClient, TimeoutError } from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'
import { json } from '../../support/stub-fetch.ts'

/** A client of a service whose responses the test releases. */
function heldService(maxConcurrency: number) {
  const held: { path: string; respond: (response: Response) => void }[] = []
  const arrivals: (() => void)[] = []
  const client = new ServiceClient({
    apiKey: 'key',
    baseUrl: 'https://service.test',
    maxConcurrency,
    maxRetries: 0,
    fetch: ({ url }) =>
      new Promise((respond) => {
        held.push({ path: new URL(url).pathname, respond })
        arrivals.shift()?.()
      }),
  })
  /** Waits until so many requests are held. */
  const until = async (count: number) => {
    while (held.length < count) await new Promise<void>((resolve) => arrivals.push(resolve))
  }
  return { client, held, until }
}

function respondToNext(held: { respond: (response: Response) => void }[], status = 200): void {
  held.shift()?.respond(json({}, status))
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
}

it('runs `maxConcurrency` calls at a time, first in, first out', async () => {
  const { client, held, until } = heldService(2)
  const calls = ['/1', '/2', '/3', '/4', '/5'].map((path) => client.request('GET', path))
  const order: string[] = []
  for (let left = 5; left > 0; left -= 1) {
    await until(Math.min(left, 2))
    await turns()
    expect(held).toHaveLength(Math.min(left, 2))
    order.push(held[0]?.path ?? '')
    respondToNext(held)
  }
  await Promise.all(calls)
  expect(order).toEqual(['/1', '/2', '/3', '/4', '/5'])
})

it('starts the next call after a failed call', async () => {
  const { client, held, until } = heldService(1)
  const first = failureOf(client.request('GET', '/1'), NotFoundError)
  const second = client.request('GET', '/2')
  await until(1)
  respondToNext(held, 404)
  await first
  await until(1)
  respondToNext(held)
  await second
})

it('runs calls again after a pause', async () => {
  const { client, held, until } = heldService(1)
  for (const path of ['/1', '/2', '/3']) {
    const call = client.request('GET', path)
    await until(1)
    respondToNext(held)
    await call
  }
  expect(held).toHaveLength(0)
})

it('counts waiting towards the deadline and sends nothing after it', async () => {
  const { client, held, until } = heldService(1)
  const first = client.request('GET', '/1')
  await until(1)
  const error = await failureOf(client.request('POST', '/2', { deadline: 30 }), TimeoutError)
  expect(error).toMatchObject({ outcome: 'not-sent', attempts: [] })
  expect(error.message).toContain('deadline (30 ms)')
  respondToNext(held)
  await first
  await turns()
  expect(held).toHaveLength(0)
})

it('rejects with an AbortError while queued, and lets other calls run', async () => {
  const { client, held, until } = heldService(1)
  const controller = new AbortController()
  const reason = new Error('the patient left')
  const first = client.request('GET', '/1')
  await until(1)
  const second = client.request('GET', '/2', { signal: controller.signal })
  const third = client.request('GET', '/3')
  await turns()
  controller.abort(reason)
  expect(await failureOf(second, AbortError)).toMatchObject({ reason, outcome: 'not-sent' })
  respondToNext(held)
  await first
  await until(1)
  expect(held[0]?.path).toBe('/3')
  respondToNext(held)
  await third
})

it('runs calls again after its queue was empty', async () => {
  const client = new ServiceClient({
    apiKey: 'key',
    baseUrl: 'https://service.test',
    maxConcurrency: 1,
    fetch: async () => json({}),
  })
  await Promise.all([client.request('GET', '/1'), client.request('GET', '/2')])
  await client.request('GET', '/3')
  await expect(client.request('GET', '/4')).resolves.toEqual({})
})

it('starts no timer with a negative time when the deadline passes before the queue', async () => {
  const times: number[] = []
  let now = 0
  const client = new ServiceClient({
    apiKey: 'key',
    baseUrl: 'https://service.test',
    maxConcurrency: 1,
    deadline: 1000,
    clock: {
      now: () => (now += 1500),
      sleep: async () => {},
      startTimer: (milliseconds) => {
        times.push(milliseconds)
        return () => {}
      },
    },
    fetch: async () => json({}),
  })
  expect(await failureOf(client.request('GET', '/1'))).toBeInstanceOf(TimeoutError)
  expect(times.length).toBeGreaterThan(0)
  expect(Math.min(...times)).toBeGreaterThan(0)
})
