import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ConnectionError, operations as contract, ServiceClient } from '../../src/index.ts'
import { failureOf } from '../support/failure.ts'
import { operations, otherOperations } from '../support/operations.ts'
import {
  announceOnly,
  type Behaviour,
  cutBody,
  loseResponse,
  redirectTo,
  respondWith,
  respondWithText,
  scriptedServer,
  stallBeforeHead,
  stallInBody,
} from '../support/programs/scripted-server.ts'
import {
  closeAfter,
  cutChunks,
  falseGzip,
  garbage,
  hugeHeader,
  informFirst,
  reset,
  resetWhenReused,
  sendRaw,
  wrongLength,
} from '../support/programs/socket-behaviours.ts'
import type { End, Job, Storm, StormReport } from './fault-storm-client.ts'

interface Fault {
  behave: Behaviour
  /** Whether the server did nothing with the request and says so: then it may be sent again. */
  rejects?: boolean
  /** Milliseconds that the call waits for it. */
  timeout?: number
}

const soon = { 'retry-after': '0' }
const past = { 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }
const json = 'content-type: application/json\r\n'

/** With both kinds of connections 1,700. Fewer would mean that operations or faults are missing. */
const fewestCalls = 850

/** What a server does with a request whose valid response is `good`. */
function faultsOf(good: unknown, elsewhere: string): Record<string, Fault> {
  const text = JSON.stringify(good)
  return {
    'responds well': { behave: respondWith(200, good) },
    '429 in seconds': { behave: respondWith(429, {}, soon), rejects: true },
    '429 as a date': { behave: respondWith(429, undefined, past), rejects: true },
    '429 without Retry-After': { behave: respondWith(429, {}), rejects: true },
    '503 with Retry-After': { behave: respondWith(503, undefined, soon), rejects: true },
    '429 far ahead': { behave: respondWith(429, {}, { 'retry-after': '3600' }), rejects: true },
    ...Object.fromEntries(
      [400, 404, 408, 409, 421, 422, 500, 502, 503, 504].map((status) => [
        String(status),
        { behave: respondWith(status, { detail: 'no' }) },
      ]),
    ),
    ...Object.fromEntries(
      [301, 302, 303, 304, 307, 308].map((status) => [
        `redirects with ${status}`,
        { behave: redirectTo(elsewhere, status) },
      ]),
    ),
    'loses the response': { behave: loseResponse },
    'resets the connection': { behave: reset },
    'cuts the body': { behave: cutBody(200, good) },
    'cuts the body of an error': { behave: cutBody(500, { detail: 'x'.repeat(200) }) },
    'cuts the body of a 404': { behave: cutBody(404, { detail: 'x'.repeat(200) }) },
    'cuts a chunked body': { behave: cutChunks(good) },
    'stalls before the head': { behave: stallBeforeHead, timeout: 50 },
    'stalls in the body': { behave: stallInBody(good), timeout: 50 },
    'announces 10 MB': { behave: announceOnly(10 * 1024 * 1024), timeout: 50 },
    'announces too little': { behave: wrongLength(good, -1) },
    'announces nothing': { behave: wrongLength(good, -text.length) },
    'announces two lengths': {
      behave: sendRaw(`HTTP/1.1 200 OK\r\n${json}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`),
    },
    'announces a length that is none': {
      behave: sendRaw(`HTTP/1.1 200 OK\r\n${json}content-length: two\r\n\r\n{}`),
    },
    'breaks the chunks': {
      behave: sendRaw(`HTTP/1.1 200 OK\r\n${json}transfer-encoding: chunked\r\n\r\nxyz\r\n{}`),
    },
    'sends garbage': { behave: garbage },
    'ends inside the head': { behave: sendRaw('HTTP/1.1 200 OK\r\ncontent-ty') },
    'switches protocols': {
      behave: sendRaw(
        'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      ),
    },
    'continues unasked': {
      behave: sendRaw(`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n${json}\r\n${text}`),
    },
    'informs, then responds': { behave: informFirst(respondWith(200, good)) },
    'informs, then resets': { behave: informFirst(reset) },
    'sends a huge header': { behave: hugeHeader(good, 100_000) },
    'sends false gzip': { behave: falseGzip(good) },
    'sends HTML': { behave: respondWithText(200, '<html>Welcome</html>') },
    'sends an empty body': { behave: respondWithText(200, '', 'application/json') },
    'responds with 204': { behave: respondWith(204, undefined) },
    'sends blanks': { behave: respondWithText(200, ' '.repeat(256 * 1024), 'application/json') },
    'closes after the response': { behave: closeAfter(good) },
    'resets a reused connection': { behave: resetWhenReused(good) },
  }
}

const all = { ...operations, ...otherOperations }

type Connection = 'keep-alive' | 'close'

/** A job as the test sees it. */
interface Planned extends Job {
  fault: string
  behave: Behaviour
  rejects: boolean
  good: unknown
  isUnsafe: boolean
  /** Whether the fault stays; else only the first request meets it. */
  stays: boolean
}

/**
 * Every operation with every fault, in an order that mixes them. A fault that stays with one kind of connection happens
 * once with the other.
 */
function planned(connection: Connection, elsewhere: string): Planned[] {
  const isKept = connection === 'keep-alive'
  const jobs = Object.entries(all).flatMap(([operation, { good, repeats }], row) =>
    Object.entries(faultsOf(good, elsewhere)).map(([fault, { behave, ...rest }], column) => {
      const stays = ((row + column) % 2 === 0) === isKept
      const facts = { operation, fault, behave, good, isUnsafe: !repeats, stays }
      return { rejects: false, timeout: 30_000, ...rest, ...facts }
    }),
  )
  const step = 7919 // a prime, so that the steps reach every job
  return jobs.map((_, id) => ({ ...(jobs[(id * step) % jobs.length] as Omit<Planned, 'id'>), id }))
}

/** Meets each request with the fault of its job, and counts the requests of each job that it acted on. */
async function faultyServer(connection: Connection) {
  const plan: Planned[] = []
  const seen: number[] = []
  const acted: number[] = []
  const server = await scriptedServer((response, request) => {
    const id = Number(request.headers['x-storm'])
    const { behave, good, rejects, stays } = plan[id] as Planned
    seen[id] = (seen[id] ?? 0) + 1
    const isFaulty = stays || seen[id] === 1
    if (!(isFaulty && rejects)) acted[id] = (acted[id] ?? 0) + 1
    response.setHeader('x-storm', id)
    if (connection === 'close') response.setHeader('connection', 'close')
    const meet = isFaulty ? behave : respondWith(200, good)
    meet(response, request)
  })
  return { server, plan, seen, acted }
}

const program = fileURLToPath(new URL('fault-storm-client.ts', import.meta.url))

/** Lets a process of its own make the calls; one that hangs is killed and fails the test. */
async function storm(baseUrl: string, plan: Planned[]): Promise<StormReport> {
  const child = fork(program, { timeout: 240_000 })
  const jobs = plan.map(({ id, operation, timeout }): Job => ({ id, operation, timeout }))
  child.send({ baseUrl, jobs } satisfies Storm)
  const ended = once(child, 'exit')
  const [report] = (await Promise.race([once(child, 'message'), ended])) as [StormReport]
  expect(await ended).toEqual([0, null])
  return report
}

it('knows every operation', () => {
  const known = Object.keys(all).map((name) => name.split(': ')[1])
  const inContract = contract.map(({ id }) => id).filter((id) => id !== 'labTests.listAll')
  expect(known.toSorted()).toEqual([...inContract, 'request'].toSorted())
})

it.each(['keep-alive', 'close'] as const)(
  'ends every call despite many faults, and never sends a non-idempotent call twice (connection: %s)',
  async (connection) => {
    const elsewhere = await scriptedServer(respondWith(200, {}))
    const { server, plan, seen, acted } = await faultyServer(connection)
    plan.push(...planned(connection, elsewhere.baseUrl))

    const { ends, held } = await storm(server.baseUrl, plan)

    const shown = ({ id, ...end }: End) =>
      `${plan[id]?.operation}, ${plan[id]?.fault}: ${JSON.stringify(end)}`
    const wrong = (isWrong: (end: End, job: Planned) => boolean) =>
      ends.filter((end) => isWrong(end, plan[end.id] as Planned)).map(shown)
    expect(ends.length).toBe(plan.length)
    expect(plan.length).toBeGreaterThanOrEqual(fewestCalls)
    expect.soft(wrong((_, { id, isUnsafe }) => isUnsafe && (acted[id] ?? 0) > 1)).toEqual([])
    expect
      .soft(wrong(({ how, isServiceError }) => how !== 'resolved' && !isServiceError))
      .toEqual([])
    expect
      .soft(wrong(({ id, outcome }) => outcome === 'not-sent' && (seen[id] ?? 0) > 0))
      .toEqual([])
    expect
      .soft(wrong(({ id, how, respondedId }) => how === 'resolved' && respondedId !== String(id)))
      .toEqual([])
    expect.soft(elsewhere.requests).toEqual([])
    expect.soft(held).toEqual([])
  },
)

describe.each(Object.entries(operations).filter(([, { repeats }]) => !repeats))(
  '%s',
  (_, { run, good }) => {
    it('is sent once when the server resets a keep-alive connection as it is reused', async () => {
      const server = await scriptedServer(resetWhenReused(good))
      const client = new ServiceClient({ apiKey: 'sk_test', baseUrl: server.baseUrl })
      await run(client)
      await setImmediate() // lets the platform take the connection back
      const error = await failureOf(run(client), ConnectionError)
      expect(error.outcome).toBe('unknown')
      expect(server.requests).toHaveLength(2)
    })

    it('is sent once when the server closes a keep-alive connection after each response', async () => {
      const server = await scriptedServer(closeAfter(good))
      const client = new ServiceClient({ apiKey: 'sk_test', baseUrl: server.baseUrl })
      const ends = await Promise.allSettled(Array.from({ length: 20 }, () => run(client)))
      for (const end of ends) {
        if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(ConnectionError)
      }
      expect(server.requests.length).toBeLessThanOrEqual(20)
    })
  },
)
