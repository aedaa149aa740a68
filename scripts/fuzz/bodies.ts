import * as fc from 'fast-check'
import { type CallName, observeCall } from './calls.ts'
import { ensure, type Target, target } from './target.ts'

/** Names that code may call or read to convert a value to a string, and field names in errors of the service. */
const names = [
  ...['toString', 'valueOf', 'toJSON', 'then', '__proto__', 'constructor', 'length', 'detail'],
  ...['loc', 'msg', 'type', 'input', 'user_id', 'sign_in_token', 'error', 'message', 'code'],
]
const name = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...names) }, fc.string())

/** JSON of any form, as a string, because an object with `__proto__` is not what JSON.parse creates. */
const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.jsonValue({ maxDepth: 0 }).map((value) => JSON.stringify(value)),
    fc.array(tie('tree'), { maxLength: 4 }).map((items) => `[${items.join()}]`),
    fc
      .array(fc.tuple(name, tie('tree')), { maxLength: 4 })
      .map((pairs) => `{${pairs.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join()}}`),
  ),
}))

const depth = fc.oneof(fc.constant(0), fc.constantFrom(10, 1000, 20_000, 100_000))
const nested = fc
  .record({ inner: tree, depth, isList: fc.boolean() })
  .map(({ inner, depth, isList }) =>
    isList
      ? '['.repeat(depth) + inner + ']'.repeat(depth)
      : '{"a":'.repeat(depth) + inner + '}'.repeat(depth),
  )
const detail = fc
  .record({ loc: nested, msg: nested, type: nested })
  .map(({ loc, msg, type }) => `{"detail":[{"loc":["body",${loc}],"msg":${msg},"type":${type}}]}`)
const body = fc.oneof(
  nested,
  detail,
  nested.map((value) => `{"detail":${value}}`),
  nested.map((value) => `{"user_id":${value},"sign_in_token":"token"}`),
)

/** @param status The status of the last attempt. */
function outcomeOf(status: number): string {
  return status < 500 && status !== 408 ? 'rejected' : 'unknown'
}

/** The call always receives the same status. */
function attemptsOf(name: CallName, status: number): number {
  if (name === 'non-idempotent') return status === 429 ? 3 : 1
  return [408, 429, 500, 502, 503, 504].includes(status) ? 3 : 1
}

/** Responds with JSON of unusual forms. The outcome and the attempts depend only on the status. */
export const bodiesTarget: Target = target(
  'bodies',
  fc.record({
    body,

    name: fc.constantFrom<CallName>('read-only', 'idempotent', 'non-idempotent'),
    status: fc.constantFrom(200, 201, 400, 401, 404, 408, 409, 418, 422, 422, 429, 500, 503),
    exposeDetail: fc.boolean(),
  }),
  async ({ body, name, status, exposeDetail }) => {
    const respond = () => new Response(body, { status })
    const { requests, error } = await observeCall(name, respond, exposeDetail)
    ensure(requests.length === attemptsOf(name, status), `${requests.length} attempts are right`)
    if (status < 300) {
      // A body that exceeds the limits may come from a proxy.
      const isUnread = error?.attempts.at(-1)?.code === 'BODY_TOO_LARGE'
      const expected = isUnread ? 'unknown' : 'succeeded'
      ensure(error === undefined || error.outcome === expected, `a 200 means ${expected}`)
      return
    }
    ensure(
      error?.outcome === outcomeOf(status),
      `the outcome ${error?.outcome} is that of ${status}`,
    )
    ensure('status' in error && error.status === status, 'the error has the status')
    ensure(error.message.length < 10_000, 'the message is short')
    JSON.stringify(error)
  },
)
