import { Writable } from 'node:stream'
import bunyan from 'bunyan'
import pino from 'pino'
import { afterEach, expect, expectTypeOf, it, vi } from 'vitest'
import winston from 'winston'
import { type ClientOptions, type Logger, type LogLevel, ServiceClient } from '../../src/index.ts'
import { failureOf } from '../support/failure.ts'
import { userId } from '../support/samples.ts'
import { json } from '../support/stub-fetch.ts'

const service = { apiKey: 'key', baseUrl: 'https://service.test' }

/** Calls a service that fails once and then responds. */
async function callTwice(options: ClientOptions): Promise<void> {
  const responses = [
    () => json({ detail: 'secret' }, 503, { 'retry-after': '0', 'x-request-id': 'req-1' }),
    () => json([], 200, { 'x-request-id': 'req-2' }),
  ]
  const fetch = async () => responses.shift()?.() ?? json({})
  await new ServiceClient({ ...service, fetch, ...options }).link.listProviders()
}

/** A stream that keeps the JSON lines that are written to it. */
function jsonLines() {
  const lines: Record<string, unknown>[] = []
  const write = (text: string) => {
    for (const line of text.trim().split('\n')) lines.push(JSON.parse(line))
  }
  return { lines, write }
}

function streamTo(write: (text: string) => void): Writable {
  return new Writable({
    write(chunk, _, done) {
      write(String(chunk))
      done()
    },
  })
}

const inMilliseconds = (text: string) => text.replaceAll(/\d+ ms/g, '_ ms')

const expected = [
  'link.listProviders: attempt 1 ended with status 503 after _ ms (request req-1)',
  'link.listProviders: attempt 1 ended with status 503 after _ ms, retrying in _ ms',
  'link.listProviders: attempt 2 ended with status 200 after _ ms (request req-2)',
]

const fields = [
  { operation: 'link.listProviders', attempt: 1, status: 503, outcome: 'rejected' },
  { operation: 'link.listProviders', attempt: 1, status: 503, delay: 0 },
  { operation: 'link.listProviders', attempt: 2, status: 200, outcome: 'succeeded' },
]

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

it.each<[string, string, (write: (text: string) => void) => Logger]>([
  ['pino', 'msg', (write) => pino({ level: 'debug' }, { write })],
  ['a child of pino', 'msg', (write) => pino({ level: 'debug' }, { write }).child({ app: 'lab' })],
  [
    'bunyan',
    'msg',
    (write) => bunyan.createLogger({ name: 'lab', level: 'debug', stream: streamTo(write) }),
  ],
  [
    'a child of bunyan',
    'msg',
    (write) =>
      bunyan
        .createLogger({ name: 'lab', level: 'debug', stream: streamTo(write) })
        .child({ app: 'lab' }),
  ],
  [
    'winston',
    'message',
    (write) =>
      winston.createLogger({
        level: 'debug',
        transports: [new winston.transports.Stream({ stream: streamTo(write) })],
      }),
  ],
])('writes message and fields with %s', async (_, messageField, createLogger) => {
  const { lines, write } = jsonLines()
  await callTwice({ logger: createLogger(write) })
  expect(lines.map((line) => inMilliseconds(String(line[messageField])))).toEqual(expected)
  expect(lines).toMatchObject(fields)
})

it('writes message and fields to the console', async () => {
  const debug = vi.spyOn(console, 'debug').mockReturnValue()
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  await callTwice({ logger: console })
  const [first, last] = debug.mock.calls
  const lines = [first, warn.mock.calls[0], last]
  expect(lines.map((line) => inMilliseconds(String(line?.[0])))).toEqual(expected)
  expect(lines.map((line) => line?.[1])).toMatchObject(fields)
})

/** A logger that keeps level and message of each line. */
function recorder() {
  const lines: string[] = []
  const keep = (level: string) => (message: string) => void lines.push(`${level}: ${message}`)
  const logger = {
    debug: keep('debug'),
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
  }
  return { logger, lines }
}

it.each<[LogLevel | undefined, number]>([
  [undefined, 3],
  ['debug', 3],
  ['info', 1],
  ['warn', 1],
  ['error', 0],
  ['off', 0],
])('writes the lines of level %s and above', async (logLevel, count) => {
  const { logger, lines } = recorder()
  await callTwice({ logger, logLevel })
  expect(lines).toHaveLength(count)
})

it.each<[string, () => Promise<Response>, string]>([
  [
    'a rejection as info',
    async () => json({ detail: 'secret' }, 404),
    'info: link.listProviders failed: attempt 1 ended with status 404 after _ ms',
  ],
  [
    'a server error as error',
    async () => json({ detail: 'secret' }, 500),
    'error: link.listProviders failed: attempt 1 ended with status 500 after _ ms',
  ],
  [
    'a failed connection as error',
    () => Promise.reject(Object.assign(new Error('secret'), { code: 'ECONNRESET' })),
    'error: link.listProviders failed: attempt 1 ended with ECONNRESET after _ ms',
  ],
  [
    'a response that is too large as error',
    async () => new Response('[]', { headers: { 'content-length': String(2 ** 40) } }),
    'error: link.listProviders failed: attempt 1 ended with status 200 and BODY_TOO_LARGE after _ ms',
  ],
  [
    'a response that is not JSON as error',
    async () => new Response('<html>'),
    'error: link.listProviders failed: attempt 1 ended with status 200 and response_invalid after _ ms',
  ],
  [
    'a response that violates the specification as error',
    async () => json({}, 201),
    'error: link.listProviders failed: attempt 1 ended with status 201 and response_invalid after _ ms',
  ],
])('logs %s', async (_, fetch, line) => {
  const { logger, lines } = recorder()
  const client = new ServiceClient({ ...service, fetch, maxRetries: 0, logger, logLevel: 'info' })
  await failureOf(client.link.listProviders())
  expect(lines.map(inMilliseconds)).toEqual([line])
})

it('logs no aborted call as a failure', async () => {
  const { logger, lines } = recorder()
  const controller = new AbortController()
  const fetch = async () => {
    controller.abort()
    return json([])
  }
  const client = new ServiceClient({ ...service, fetch, logger, logLevel: 'info' })
  await failureOf(client.link.listProviders({}, { signal: controller.signal }))
  expect(lines).toEqual([])
})

it('reads the level from SERVICE_LOG, and then logs to the console', async () => {
  vi.stubEnv('SERVICE_LOG', 'warn')
  const debug = vi.spyOn(console, 'debug').mockReturnValue()
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  await callTwice({})
  expect(debug).not.toHaveBeenCalled()
  expect(warn).toHaveBeenCalledOnce()
})

it('prefers the option `logLevel` to SERVICE_LOG', async () => {
  vi.stubEnv('SERVICE_LOG', 'off')
  const { logger, lines } = recorder()
  await callTwice({ logger, logLevel: 'debug' })
  expect(lines).toHaveLength(3)
})

it('writes nothing without a logger and a level', async () => {
  const debug = vi.spyOn(console, 'debug').mockReturnValue()
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  await callTwice({})
  expect([debug, warn].flatMap(({ mock }) => mock.calls)).toEqual([])
})

it('rejects an unknown level', () => {
  const create = (logLevel?: string) =>
    new ServiceClient({ ...service, logLevel: logLevel as 'off' })
  expect(() => create('verbose')).toThrow(
    "logLevel: expected 'debug', 'info', 'warn', 'error' or 'off'",
  )
  vi.stubEnv('SERVICE_LOG', 'verbose')
  expect(() => create()).toThrow(
    'logLevel: expected one of debug, info, warn, error, off in the SERVICE_LOG environment variable',
  )
})

it('accepts the types of well-known loggers', () => {
  expectTypeOf<Console>().toExtend<Logger>()
  expectTypeOf<pino.Logger>().toExtend<Logger>()
  expectTypeOf<winston.Logger>().toExtend<Logger>()
  expectTypeOf<bunyan>().toExtend<Logger>()
})

it('passes the outcome and the request id of a failed call to the logger', async () => {
  const error = vi.fn()
  const fetch = async () =>
    new Response('{}', { status: 500, headers: { 'x-request-id': 'req_7' } })
  const logger = { debug() {}, info() {}, warn() {}, error }
  const client = new ServiceClient({ ...service, fetch, maxRetries: 0, logger })
  await client.users.createSignInToken(userId).catch(() => {})
  expect(error).toHaveBeenCalledExactlyOnceWith(
    expect.any(String),
    expect.objectContaining({ outcome: 'unknown', requestId: 'req_7', status: 500 }),
  )
})
