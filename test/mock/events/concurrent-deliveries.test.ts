import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { call } from '../../support/call.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const event = 'daily.data.sleep.created'

/** Lets each signature take fewer turns of the event loop than the one before. */
function signInReverse(): void {
  const sign = crypto.subtle.sign.bind(crypto.subtle)
  let turns = 40
  vi.spyOn(crypto.subtle, 'sign').mockImplementation(async (...input) => {
    turns -= 8
    for (let turn = turns; turn > 0; turn -= 1) await new Promise(setImmediate)
    return sign(...input)
  })
}

describe.each([
  ['node:crypto', () => {}],
  ['Web Crypto only', () => vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined)],
])('concurrent deliveries, signed with %s', (_, limitPlatform) => {
  beforeEach(() => void limitPlatform())

  it('arrive in the order of their events, however long a signature takes', async () => {
    signInReverse()
    const team = createMock().team()
    const received: number[] = []
    const handler = async (request: Request) => {
      received.push((await request.json()).data.number)
      return new Response()
    }
    team.webhooks.add({ handler, concurrency: 4 })
    for (const number of [1, 2, 3, 4])
      team.trigger('unknown.event', { data: { number } }, { unknown: true })
    await team.webhooks.idle()
    expect(received).toEqual([1, 2, 3, 4])
  })

  it('arrive in the order of their webhooks', async () => {
    signInReverse()
    const team = createMock().team()
    const received: string[] = []
    for (const id of ['a', 'b', 'c']) {
      const handler = () => {
        received.push(id)
        return new Response()
      }
      team.webhooks.add({ id, handler })
    }
    team.trigger(event)
    await team.webhooks.idle()
    expect(received).toEqual(['a', 'b', 'c'])
  })
})

describe('the time limit of a delivery', () => {
  const attempts = { status: undefined, outcome: 'failed', error: 'timeout' }

  /** Lets real time pass, from timer to timer, until a promise resolves. */
  async function passRealTime(promise: Promise<void>): Promise<void> {
    let isOver = false
    const over = promise.finally(() => {
      isOver = true
    })
    while (!isOver) {
      await new Promise(setImmediate)
      await vi.advanceTimersToNextTimerAsync()
    }
    await over
  }

  it('ends an attempt whose handler never responds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const team = createMock().team()
    const webhook = team.webhooks.add({ handler: () => new Promise(() => {}) })
    team.trigger(event)
    await passRealTime(team.clock.advance('1m'))
    expect(webhook.deliveries()).toMatchObject([attempts, attempts])
    expect(webhook.planned()).toMatchObject([{ attempt: 3 }])
  })

  it('does not wait for the body of a response, or for its cancelling', async () => {
    const never = () => new Promise<never>(() => {})
    const team = createMock().team()
    const stream = () => new ReadableStream({ pull: never, cancel: never })
    const webhook = team.webhooks.add({ handler: () => new Response(stream()) })
    team.trigger(event)
    await team.clock.advance('1m')
    expect(webhook.deliveries()).toMatchObject([{ status: 200, outcome: 'delivered' }])
  })

  it('ends the reading of a body that never ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const team = createMock().team()
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('start')),
    })
    const fetch = async () => new Response(body)
    const webhook = team.webhooks.add({ url: 'https://receiver.test/', fetch })
    team.trigger(event)
    await passRealTime(team.clock.advance('1m'))
    expect(webhook.exchanges()).toMatchObject([{ status: 200, response: { body: 'start' } }])
  })

  it.each([
    ['10s', { status: 200, outcome: 'delivered' }],
    ['20s', attempts],
  ] as const)('counts the virtual time that the handler waits for: %s', async (latency, first) => {
    const team = createMock().team({ clock: 'manual' })
    team.faults.add({ on: 'link.listProviders', when: { nth: 1 }, then: { latency } })
    const handler = async () => {
      await call(team, 'GET /v2/providers')
      return new Response()
    }
    const webhook = team.webhooks.add({ handler })
    team.trigger(event)
    await team.clock.advance('1m')
    expect(webhook.deliveries()[0]).toMatchObject(first)
    expect(webhook.deliveries().at(-1)?.outcome).toBe('delivered')
  })

  it('does not count the virtual time that others wait for', async () => {
    const team = createMock().team()
    team.faults.add({ on: 'link.listProviders', then: { latency: '1h' } })
    let respond = () => {}
    const response = new Promise<Response>((resolve) => {
      respond = () => resolve(new Response())
    })
    const isRunning = Promise.withResolvers<void>()
    const handler = () => {
      isRunning.resolve()
      return response
    }
    const webhook = team.webhooks.add({ handler })
    team.trigger(event)
    await isRunning.promise
    await call(team, 'GET /v2/providers')
    respond()
    await team.webhooks.idle()
    expect(webhook.deliveries()).toMatchObject([{ status: 200, outcome: 'delivered' }])
  })
})
