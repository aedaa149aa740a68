import { headers } from '../../../../src/contract/wire.ts'
import { toLiteral } from '../../../../src/shared/own-fields.ts'
import type { ControlOutput } from '../../../control/api.ts'

export type SentRequest = ControlOutput<'journal.get'>

/** Only these headers are copied, because clients add the others. */
const sentHeaders = ['accept', 'content-type', headers.apiKey, headers.idempotencyKey]

export function curlOf({ method, request }: SentRequest): string {
  const lines = Object.entries(request.headers)
    .filter(([name]) => sentHeaders.includes(name))
    .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
  const { body } = request
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const data = body === undefined ? [] : [`--data-raw ${quote(text)}`]
  return [`curl -X ${method} ${quote(request.url)}`, ...lines, ...data].join(' \\\n  ')
}

/** Quotes a string for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** The parameter order of client methods, where it differs from the order in the path. */
const parameterOrders: Readonly<Record<string, readonly string[]>> = {
  'summaries.list': ['user_id', 'resource'],
}

export function clientCallOf({ operation, request }: SentRequest): string | undefined {
  if (!operation) return undefined
  const { params, query, body } = request
  const names = parameterOrders[operation] ?? Object.keys(params)
  const key = request.headers[headers.idempotencyKey]
  const options = key && operation === 'orders.create' ? { idempotencyKey: key } : undefined
  const hasQuery = Object.keys(query).length > 0
  const values = [...names.map((name) => params[name]), body, hasQuery ? query : undefined, options]
  const inputs = values.filter((value) => value !== undefined).map((value) => literalOf(value))
  return `client.${operation}(${inputs.join(', ')})`
}

/** Returns a value as a JavaScript literal, indented by two spaces per level. */
function literalOf(value: unknown): string {
  if (typeof value === 'string') return stringOf(value)
  const json = toLiteral(JSON.stringify(value, null, 2) ?? 'undefined')
  return json
    .replaceAll(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:')
    .replaceAll(/"((?:[^"\\]|\\.)*)"(?=,?$)/gm, (text) => stringOf(JSON.parse(text)))
}

function stringOf(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

export function requestTestOf(entry: SentRequest, reproduction: string | undefined): string {
  const { operation, response, outcome } = entry
  // The client's checks would reject a request that the service rejected as invalid.
  const call = (response?.status !== 422 && clientCallOf(entry)) || rawCallOf(entry)
  const result = response?.status ?? outcome
  const expected = `expect(team.journal.lines()).toEqual([${stringOf(lineOf(entry))}])`
  return testFile({
    title: `${operation ?? 'unknown route'} ${result}`,
    reproduction,
    steps: [`await ${call}${isSuccess(entry) ? '' : '.catch(() => {})'}`, expected],
  })
}

/** Returns the call that sends a request without the client's checks. */
function rawCallOf({ method, path, request }: SentRequest): string {
  const { params, query, body } = request
  const given = { params, query, body }
  const options = Object.entries(given).filter(
    ([, value]) => value !== undefined && JSON.stringify(value) !== '{}',
  )
  const inputs = [method, path, ...(options.length > 0 ? [Object.fromEntries(options)] : [])]
  return `client.request(${inputs.map(literalOf).join(', ')})`
}

function lineOf({ operation, method, response, outcome }: SentRequest): string {
  return `${operation ?? `${method} unknown`} ${response?.status ?? outcome}`
}

function isSuccess({ response }: SentRequest): boolean {
  return response !== undefined && response.status < 400
}

interface TestParts {
  title: string
  /** The line of JavaScript that creates the team. Without this line, the test creates an empty team. */
  reproduction: string | undefined
  steps: readonly string[]
}

export function testFile({ title, reproduction, steps }: TestParts): string {
  const start = reproduction
    ? [`const team = ${reproduction}`]
    : [
        '// The history does not contain the state before this request. Create the records that it requires.',
        'const team = createMock().team()',
      ]
  const lines = [
    ...start,
    "team.clock.mode = 'auto' // virtual time passes while a request waits",
    'const client = new ServiceClient({ ...team.connection(), maxRetries: 0 })',
    ...steps,
  ]
  return `import { ServiceClient } from 'health-lab-sdk'
import { createMock } from 'health-lab-sdk/mock'
import { expect, it } from 'vitest'

it(${stringOf(title)}, async () => {
${lines.map(indent).join('\n')}
})
`
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ')
}
