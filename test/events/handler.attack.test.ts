import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, type RequestListener, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type DedupeStore,
  EventError,
  type EventHandlerOptions,
  eventHandler,
  memoryStore,
} from '../../src/events/index.ts'
import { runProgram } from '../support/programs/program.ts'
import { delivery, secret } from '../support/signed.ts'
import { event, ignore, nodeReceiver, otherSecret, signed } from './signed-event.ts'

/** What a callback may do instead of its work, as an expression of a program. */
const misbehaviours = [
  "(() => { throw new Error('thrown') })()",
  '(() => { throw undefined })()',
  "Promise.reject(new Error('rejected'))",
  "runInNewContext('Promise.reject(new Error())')",
  "{ get then() { throw new Error('getter') } }",
  "{ then() { throw new Error('then') } }",
  "{ then(_, reject) { reject(new Error('thenable')) } }",
  "{ then(resolve) { resolve(Promise.reject(new Error('nested'))) } }",
  "{ async then() { throw new Error('async then') } }",
  "{ then() { return { then() { return Promise.reject(new Error('deep then')) } } } }",
  "{ then(resolve) { resolve({ async then() { throw new Error('nested async then') } }) } }",
  '(class extends Promise { then() { return Promise.reject(new Error()) } }).resolve()',
]

it('never ends the process, whatever a callback returns or throws', async () => {
  const found = await runProgram(`
    import { runInNewContext } from 'node:vm'
    import { eventHandler, memoryStore } from './src/events/index.ts'
    import { delivery, secret } from './test/support/signed.ts'
    const event = { event_type: 'daily.data.sleep.created', user_id: 'user', data: {} }
    const failing = () => { throw new Error() }
    const receivers = (odd) => ({
      'onError, unsigned': { onError: odd, secrets: '${otherSecret}' },
      'onError': { onError: odd, fallback: failing },
      'listener': { on: { [event.event_type]: odd } },
      'fallback': { fallback: odd },
      'claim': { dedupe: { ...memoryStore(), claim: odd } },
      'finish': { dedupe: { ...memoryStore(), finish: odd } },
      'release': { dedupe: { ...memoryStore(), release: odd }, fallback: failing },
    })
    const found = []
    for (const odd of [${misbehaviours.map((odd) => `() => (${odd})`).join(', ')}]) {
      const statuses = {}
      for (const [name, options] of Object.entries(receivers(odd))) {
        const receive = eventHandler({ secrets: secret, on: {}, fallback() {}, ...options })
        statuses[name] = (await receive(await delivery(event, { id: name }))).status
      }
      found.push(statuses)
    }
    // Turns of the event loop in which the process notices a rejection that is not handled.
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
    console.log(JSON.stringify(found))`)
  const statuses = {
    'onError, unsigned': 401,
    onError: 500,
    listener: 500,
    fallback: 500,
    claim: 500,
    finish: 200,
    release: 500,
  }
  expect(found).toEqual(misbehaviours.map(() => statuses))
})

it('responds to a request once, whatever the result of a listener does after it calls back', async () => {
  const found = await runProgram(`
    import { eventHandler } from './src/events/index.ts'
    import { delivery, secret } from './test/support/signed.ts'
    const event = { event_type: 'daily.data.sleep.created', user_id: 'user', data: {} }
    const failing = { async then() { throw new Error() } }
    const results = [
      { then(resolve) { resolve(1); throw new Error() } },
      { then(resolve) { resolve(1); resolve(failing) } },
      { then(resolve, reject) { resolve(1); reject(new Error()) } },
      { async then(resolve) { resolve(1); throw new Error() } },
      { then(resolve) { resolve(new Promise((later) => setTimeout(later, 5))); throw new Error() } },
    ]
    const found = []
    for (const result of results) {
      const receive = eventHandler({ secrets: secret, on: {}, fallback: () => result })
      found.push((await receive(await delivery(event))).status)
    }
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
    console.log(JSON.stringify(found))`)
  expect(found).toEqual([200, 200, 200, 200, 200])
})

it('never ends the process of a mock, whatever a webhook handler returns or throws', async () => {
  const found = await runProgram(`
    import { runInNewContext } from 'node:vm'
    import { createMock } from './mock/index.ts'
    const found = []
    for (const handler of [${misbehaviours.map((odd) => `() => (${odd})`).join(', ')}]) {
      const team = createMock().team({ clock: 'manual' })
      const webhook = team.webhooks.add({ handler })
      team.trigger('daily.data.sleep.created')
      await team.clock.advance('1s')
      found.push(webhook.deliveries()[0].error)
    }
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
    console.log(JSON.stringify(found))`)
  expect(found).toEqual(misbehaviours.map(() => 'threw'))
})

it('waits for nothing that onError returns', async () => {
  const onError = () => new Promise(() => {})
  const receive = eventHandler({ secrets: secret, on: {}, fallback: ignore, onError })
  expect((await receive(await delivery('{'))).status).toBe(400)
})

describe('a store', () => {
  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    [true, 'a boolean'],
    ['Claimed', 'another string'],
    ['OK', 'another string'],
    [{}, 'an object'],
    [1, '1'],
  ])('causes a 500 and runs no listener if it returns %o for a claim', async (result, returned) => {
    const errors: unknown[] = []
    let runs = 0
    const receive = eventHandler({
      secrets: secret,
      on: {},
      fallback: () => runs++,
      dedupe: { ...memoryStore(), claim: () => result as string },
      onError: (error) => errors.push(error),
    })
    expect((await receive(await delivery(event))).status).toBe(500)
    expect(runs).toBe(0)
    const message = expect.stringContaining(
      `return one of claimed, done, busy, but it returned ${returned}.`,
    )
    expect(errors).toEqual([expect.objectContaining({ code: 'claim_invalid', message })])
  })

  it('that throws an error of this package is never the fault of the sender', async () => {
    const claim = () => Promise.reject(new EventError('signature_invalid', 'of another message'))
    const dedupe = { ...memoryStore(), claim }
    const receive = eventHandler({ secrets: secret, on: {}, fallback: ignore, dedupe })
    expect((await receive(await delivery(event))).status).toBe(500)
  })

  it('gets a new token for each claim, and the same to finish or release it', async () => {
    const calls: string[][] = []
    const note =
      (name: string, result?: string) =>
      (...given: [string, string]) => {
        calls.push([name, ...given])
        return result ?? ''
      }
    const dedupe = {
      claim: note('claim', 'claimed'),
      finish: note('finish'),
      release: note('release'),
    }
    let runs = 0
    const fallback = () => {
      runs += 1
      if (runs === 1) throw new Error('database down')
    }
    const receive = eventHandler({ secrets: secret, on: {}, fallback, dedupe })
    await receive(await delivery(event))
    await receive(await delivery(event))
    const [first, second] = [calls[0]?.[2], calls[2]?.[2]]
    expect(calls).toEqual([
      ['claim', 'msg_1', first],
      ['release', 'msg_1', first],
      ['claim', 'msg_1', second],
      ['finish', 'msg_1', second],
    ])
    expect(first).toMatch(/^[\da-f-]{36}$/)
    expect(second).not.toBe(first)
  })

  it('is called again if it cannot finish a message, and the message is not handled again', async () => {
    let runs = 0
    const errors: unknown[] = []
    const dedupe = memoryStore()
    const finish = vi
      .fn(dedupe.finish)
      .mockRejectedValueOnce(new Error('store down'))
      .mockRejectedValueOnce(new Error('store still down'))
    const receive = eventHandler({
      secrets: secret,
      on: {},
      fallback: () => void runs++,
      dedupe: { ...dedupe, finish },
      onError: (error) => errors.push(error),
    })
    const texts: string[] = []
    for (let time = 1; time <= 4; time += 1) {
      const response = await receive(await delivery(event))
      expect(response.status).toBe(200)
      texts.push(await response.text())
    }
    expect(texts).toEqual(['Handled', 'Already handled', 'Already handled', 'Already handled'])
    expect(runs).toBe(1)
    expect(finish).toHaveBeenCalledTimes(3)
    expect(new Set(finish.mock.calls.map(([, token]) => token)).size).toBe(1)
    expect(errors).toEqual([new Error('store down'), new Error('store still down')])
    expect(await dedupe.claim('msg_1', 'another')).toBe('done')
  })

  it('that gave the message to another receiver meanwhile is reported', async () => {
    const errors: unknown[] = []
    let runs = 0
    const receive = eventHandler({
      secrets: secret,
      on: {},
      fallback: () => void runs++,
      dedupe: { ...memoryStore(), finish: () => false },
      onError: (error) => errors.push(error),
    })
    expect((await receive(await delivery(event))).status).toBe(200)
    const message = expect.stringContaining('Make claims last longer than the slowest')
    expect(errors).toEqual([expect.objectContaining({ code: 'claim_lost', message })])
    expect((await receive(await delivery(event))).status).toBe(200)
    expect(runs).toBe(1)
  })

  it('keeps messages apart for two receivers that have one each', async () => {
    const handled: string[] = []
    const [first, second] = ['first', 'second'].map((name) =>
      eventHandler({ secrets: secret, on: {}, fallback: () => handled.push(name) }),
    )
    await first?.(await delivery(event))
    await second?.(await delivery(event))
    expect(handled).toEqual(['first', 'second'])
  })
})

it('accepts a store of a user', () => {
  class Written implements DedupeStore {
    async claim(_id: string) {
      return 'claimed'
    }
    async finish(_id: string, _token: string) {}
    release() {}
  }
  const plain = {
    async claim() {
      return 'claimed'
    },
    finish: async () => 'OK',
    release: () => 1,
  }
  const inline: EventHandlerOptions['dedupe'] = {
    claim: async () => (Math.random() < 2 ? 'claimed' : 'done'),
    async finish() {},
    async release() {},
  }
  // @ts-expect-error -- a claim without a result
  const silent: DedupeStore = { ...plain, claim: async () => {} }
  for (const dedupe of [new Written(), plain, inline, silent]) {
    expect(() => eventHandler({ secrets: secret, on: {}, fallback: ignore, dedupe })).not.toThrow()
  }
})

/** A server on this machine that ends with its test. */
async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** Sends a signed delivery in one piece. */
async function send(port: number): Promise<Response> {
  const { body, headers } = await signed()
  return fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })
}

describe('on node:http', () => {
  it('survives a client that disconnects in the middle of a body', async () => {
    const { receive, errors, handled } = nodeReceiver()
    let isDone = ignore
    const done = new Promise<void>((resolve) => {
      isDone = resolve
    })
    const port = await serve(async (request, response) => {
      if (request.headers['content-length'] === '1000') request.once('data', () => socket.destroy())
      await receive(request, response)
      isDone()
    })
    const socket = connect(port, '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nhost: receiver\r\ncontent-length: 1000\r\n\r\n{"half')
    await done
    expect(errors).toEqual([expect.objectContaining({ code: 'ECONNRESET' })])
    expect((await send(port)).status).toBe(200)
    expect(handled).toEqual(['msg_1'])
  })

  it('responds with 413 to a large body, and serves the next request on the connection', async () => {
    const { receive } = nodeReceiver({ maxBytes: 1000 })
    const port = await serve(receive)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    for (const [at, size] of [5_000_000, 1001, 1000].entries()) {
      const sent = request({ agent, port, host: '127.0.0.1', method: 'POST' })
      sent.end(Buffer.alloc(size))
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      expect(response.statusCode).toBe(size > 1000 ? 413 : 401)
      await once(response.resume(), 'end')
      expect(sent.reusedSocket).toBe(at > 0)
    }
  })

  it.each([
    [413, 'a string that is too large', 'x'.repeat(1001)],
    [413, 'a string of long characters that is too large', '€'.repeat(400)],
    [413, 'bytes that are too large', Buffer.alloc(1001)],
    [401, 'bytes of exactly the largest size', Buffer.alloc(1000)],
  ])('responds with %i to %s, behind a parser of raw bodies', async (status, _, body) => {
    const { receive } = nodeReceiver({ maxBytes: 1000 })
    const port = await serve((request, response) =>
      receive(Object.assign(request, { body }), response),
    )
    expect((await send(port)).status).toBe(status)
  })

  it('counts the bytes of a body that comes as strings', async () => {
    const { receive, handled } = nodeReceiver({ maxBytes: 1000 })
    const port = await serve((request, response) => receive(request.setEncoding('utf8'), response))
    expect((await send(port)).status).toBe(200)
    expect(handled).toEqual(['msg_1'])
    const url = `http://127.0.0.1:${port}/`
    expect((await fetch(url, { method: 'POST', body: '€'.repeat(400) })).status).toBe(413)
  })

  it('does not change the response of another handler', async () => {
    const { receive, handled, errors } = nodeReceiver()
    const port = await serve(async (request, response) => {
      response.writeHead(504).end('Too late')
      await expect(receive(request, response)).resolves.toBeUndefined()
    })
    const response = await send(port)
    expect([response.status, await response.text()]).toEqual([504, 'Too late'])
    await vi.waitFor(() => expect(handled).toEqual(['msg_1']), { timeout: 60_000 })
    expect(errors).toEqual([])
  })

  it('reports response errors', async () => {
    const { receive, errors } = nodeReceiver()
    const port = await serve(async (request, response) => {
      await receive(request, response)
      response.emit('error', new Error('connection broke'))
    })
    expect((await send(port)).status).toBe(200)
    await vi.waitFor(() => expect(errors).toEqual([new Error('connection broke')]), {
      timeout: 60_000,
    })
  })

  it('reports a response that throws', async () => {
    const { receive, errors } = nodeReceiver()
    const { body, headers } = await signed()
    const failure = new Error('headers are sent')
    const response = {
      statusCode: 0,
      setHeader: () => {
        throw failure
      },
      end: ignore,
    }
    const request = { method: 'POST', headers, body, async *[Symbol.asyncIterator]() {} }
    await receive(request, response)
    expect(errors).toEqual([failure])
  })
})
