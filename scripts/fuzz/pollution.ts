import * as fc from 'fast-check'
import { bookingOptionRules } from '../../src/client/appointments/booking-options.ts'
import { waitOptionRules } from '../../src/client/appointments/wait-options.ts'
import { clientOptionRules } from '../../src/client/options/client-options.ts'
import { createOrderOptionRules } from '../../src/client/options/create-order-options.ts'
import { type CallName, calls, type ObservedCall, observeCall, type Respond } from './calls.ts'
import { ensure, type Target, target } from './target.ts'
import { prepareWork, type Run, works } from './works.ts'

/** Field names that ky, fetch, streams, listeners, zod, errors, endpoints and the client read. */
const names = [
  ...Object.keys(clientOptionRules),
  ...Object.keys(createOrderOptionRules),
  ...Object.keys(waitOptionRules),
  ...Object.keys(bookingOptionRules),
  ...['prefix', 'prefixUrl', 'searchParams', 'json', 'parseJson', 'stringifyJson', 'retry'],
  ...['totalTimeout', 'throwHttpErrors', 'context', 'onDownloadProgress', 'onUploadProgress'],
  ...['init', 'beforeRequest', 'beforeRetry', 'beforeError', 'afterResponse', 'limit', 'methods'],
  ...['method', 'body', 'mode', 'credentials', 'cache', 'redirect', 'referrer', 'referrerPolicy'],
  ...['integrity', 'keepalive', 'window', 'duplex', 'dispatcher', 'priority', 'capture', 'passive'],
  ...['once', 'type', 'start', 'pull', 'cancel', 'size', 'highWaterMark', 'status', 'statusText'],
  ...['code', 'cause', 'errors', 'errno', 'syscall', 'name', 'message', 'stack', 'detail', 'loc'],
  ...['id', 'path', 'effect', 'params', 'query', 'accept', 'responses', 'serviceWait', 'echoes'],
  ...['deprecatedFields', 'acceptsIdempotencyKey', 'response', 'failure', 'received', 'error'],
  ...['data', 'next', 'problem', 'isRepeated', 'shownPath', 'callSite', 'outcome', 'attempts'],
  ...['retryAfter', 'neverSent', 'aborted', 'reason', 'user_id', 'sign_in_token', 'value'],
  ...[
    'shape',
    'options',
    'element',
    'valueType',
    'innerType',
    'catchall',
    'checks',
    'when',
    'abort',
  ],
  ...['issues', 'format', 'pattern', 'input', 'requestId', 'duration', 'delay', 'tag', 'text'],
  ...['200', '422', '500', 'stackTraceLimit', 'enumerable', 'configurable', 'toJSON'],
]

const values: Record<string, () => unknown> = {
  address: () => 'https://other.test',
  code: () => 'ECONNREFUSED',
  syscall: () => 'connect',
  number: () => 1,
  zero: () => 0,
  true: () => true,
  false: () => false,
  null: () => null,
  object: () => ({ 'x-added': '1' }),
  list: () => [() => new Response('{}')],
  function: () => () => new Response('{}'),
  response: () => new Response('{}'),
}

const failure = (code?: string) =>
  Object.assign(new TypeError('fetch failed'), code === undefined ? {} : { code })

/** Returns a response. Its options have no prototype, because the test is about the client and not the platform. */
function respondWith(status: number, body: string): Respond {
  const init: ResponseInit = Object.assign(Object.create(null), { status, statusText: '' })
  return () => new Response(body, Object.assign(init, { headers: [['x-request-id', 'r1']] }))
}

const token = '{"user_id":"3fa85f64-5717-4562-b3fc-2c963f66afa6","sign_in_token":"token"}'
const responses: Record<string, Respond> = {
  success: respondWith(200, token),
  invalid: respondWith(200, '{"user_id":1}'),
  html: respondWith(200, '<html>'),
  rejected: respondWith(422, '{"detail":[{"loc":["body","user_id"],"type":"missing"}]}'),
  limited: respondWith(429, '{}'),
  failed: respondWith(500, '{"detail":"failed"}'),
  reset: () => {
    throw failure('ECONNRESET')
  },
  broken: () => {
    throw failure()
  },
  refused: () => {
    throw failure('ECONNREFUSED')
  },
}

/** Adds fields to `Object.prototype` during calls. Requests, attempts and outcomes must be the same as without them. */
export const pollutionTarget: Target = target(
  'pollution',
  fc.record({
    fields: fc.array(
      fc.record({
        name: fc.constantFrom(...names),
        value: fc.constantFrom(...Object.keys(values)),
        enumerable: fc.boolean(),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    call: fc.constantFrom(...Object.keys(calls), ...Object.keys(works)),
    response: fc.constantFrom(...Object.keys(responses)),
  }),
  async ({ fields, call, response }) => {
    const expected = JSON.stringify((await (await prepare(call, response))())())
    const run = await prepare(call, response)
    const added = fields.map(({ name, value, enumerable }) => {
      const field = { value: values[value]?.(), enumerable, writable: true, configurable: true }
      return [name, Object.assign(Object.create(null), field)] as const
    })
    for (const [name, field] of added) Reflect.defineProperty(Object.prototype, name, field)
    let described: () => unknown
    try {
      described = await run()
    } finally {
      for (const [name] of added) Reflect.deleteProperty(Object.prototype, name)
    }
    const found = JSON.stringify(described())
    ensure(found === expected, `the call does the same: ${expected}, but found ${found}`)
  },
)

/** Prepares a call, or work with several requests. */
async function prepare(call: string, response: string): Promise<Run> {
  // The names are keys of `responses` and `calls`.
  const respond = responses[response] as Respond
  if (Object.hasOwn(calls, call)) {
    return async () => {
      const observed = await observeCall(call as CallName, respond)
      return () => describe(observed)
    }
  }
  const succeed = (body: string) => respondWith(200, body)()
  return prepareWork(call, response === 'success' ? undefined : respond, succeed)
}

function describe({ requests, error }: ObservedCall): string {
  const end = error ? [error.name, error.code, error.outcome, error.attempts.length] : ['success']
  return [...requests, ...end].join('\n')
}
