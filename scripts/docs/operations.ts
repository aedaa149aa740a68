import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { type Failure, retryDelay } from '../../src/client/transport/retry.ts'
import { endpoints } from '../../src/contract/endpoints.ts'
import type { RepeatableFailure } from '../../src/contract/operations.ts'
import type { Effect, Endpoint } from '../../src/contract/schema/endpoint.ts'

/** The summaries differ in their path only, and are one operation. */
const all: readonly Endpoint[] = [
  ...new Map<string, Endpoint>(
    endpoints.map((endpoint) => [
      endpoint.id,
      { ...endpoint, path: endpoint.path.replace(/(?<=\/summary\/)\w+/, '{resource}') },
    ]),
  ).values(),
]

/** Bodies for which the service waits as long as it does at most, by what they say. */
const waits: Record<string, Record<string, object>> = {
  'link.bulkImport': { 'with `wait_for_completion`': { wait_for_completion: true } },
  'orders.bookPhlebotomyAppointment': {
    'without `async_confirmation`': {},
    'with it, by default': { async_confirmation: true },
    'with it, at most': { async_confirmation: true, sync_confirmation_timeout_millisecond: 10_000 },
  },
}

function waitsOf({ id, serviceWait }: Endpoint): [string, number][] {
  if (serviceWait && !waits[id]) throw new Error(`Say in this file when ${id} waits.`)
  // The bodies have what the functions read.
  return Object.entries(waits[id] ?? {}).map(([when, body]) => [
    when,
    serviceWait?.(body as never) ?? 0,
  ])
}

const failures: readonly [RepeatableFailure, Failure][] = [
  ['not sent', { neverSent: true }],
  ['no answer', { neverSent: false }],
  ['408', { neverSent: false, status: 408 }],
  ['429', { neverSent: false, status: 429 }],
  ['500', { neverSent: false, status: 500 }],
  ['502', { neverSent: false, status: 502 }],
  ['503', { neverSent: false, status: 503 }],
  ['503 with Retry-After', { neverSent: false, status: 503, retryAfter: 0 }],
  ['504', { neverSent: false, status: 504 }],
]

/** After which failures a call of an effect is repeated, as `retryDelay` decides. */
export function repeatedAfter(effect: Effect): RepeatableFailure[] {
  const allowance = { retries: 1, remaining: 60_000 }
  const repeated = failures
    .filter(([, failure]) => retryDelay(failure, effect, allowance, 1, 0) !== undefined)
    .map(([name]) => name)
  // Where every 503 is, one that says when to come back is, too.
  const isSaid = repeated.includes('503')
  return repeated.filter((name) => !(isSaid && name === '503 with Retry-After'))
}

const listBegins = 'export const operations: readonly Operation[] = ['

/** `src/contract/operations.ts` with the list that the contract gives. */
export function operationsSource(): string {
  const source = readFileSync('src/contract/operations.ts', 'utf8')
  const before = source.slice(0, source.indexOf(listBegins) + listBegins.length)
  return `${before}\n${all.map(literalOf).join('')}]\n`
}

function literalOf(endpoint: Endpoint): string {
  const { id, method, path, spec, effect, deprecated } = endpoint
  const serviceWait = Math.max(0, ...waitsOf(endpoint).map(([, wait]) => wait))
  const fields = {
    id: quoted(id),
    method: quoted(method),
    path: quoted(path),
    section: quoted(spec),
    effect: quoted(effect),
    repeatedAfter: effect === 'unsafe' ? 'whatDidNothing' : 'whatMayPass',
    serviceWait: String(serviceWait).replace(/\B(?=(?:\d{3})+$)/g, '_'),
    ...(deprecated ? { deprecated: `{ replacement: ${quoted(deprecated.replacement)} }` } : {}),
  }
  const lines = Object.entries(fields).map(([name, value]) => `    ${name}: ${value},\n`)
  return `  {\n${lines.join('')}  },\n`
}

function quoted(text: string): string {
  return `'${text}'`
}

/** The page `docs/operations.md`: the introduction by hand, the tables from the contract and the client's methods. */
export function operationsPage(): string {
  const introduction = readFileSync(new URL('operations.md', import.meta.url), 'utf8')
  const effects: readonly Effect[] = ['read', 'idempotent', 'unsafe']
  const ofEffects = table(
    ['Effect', 'Repeated after'],
    effects.map((effect) => [effect, repeatedAfter(effect).join(', ')]),
  )
  const ofCalls = table(['Call', 'Request', 'Effect', 'Added time', 'Section'], all.map(cells))
  return introduction.replace('<effects>', ofEffects).replace('<operations>', ofCalls)
}

function table(titles: string[], rows: string[][]): string {
  const lines = [titles, titles.map(() => '---'), ...rows]
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n')
}

function cells(endpoint: Endpoint): string[] {
  const { id, method, path, spec, effect, deprecated } = endpoint
  const call = signatures.get(id)
  const seconds = waitsOf(endpoint).map(([when, wait]) => `${wait / 1000} s ${when}`)
  return [
    call
      ? `${code(call.shown)}<br>gives ${code(call.answer)}`
      : `None: it is deprecated, use ${code(deprecated?.replacement)}`,
    code(`${method} ${path}`),
    effect,
    seconds.join('<br>'),
    `[${spec}](specification.md#${anchorOf(spec)})`,
  ]
}

function code(text = ''): string {
  return `\`${text.replaceAll('|', '\\|')}\``
}

/** The anchor of a section's heading in the specification. */
function anchorOf(spec: string): string {
  const headings = readFileSync('docs/specification.md', 'utf8').match(/^#{2,3} .*$/gm) ?? []
  const heading = headings.find((text) =>
    new RegExp(`^#+ ${spec.replace('.', '\\.')}\\.? `).test(text),
  )
  if (!heading) throw new Error(`The specification has no section ${spec}.`)
  const words = heading.replace(/^#+ /, '').toLowerCase()
  return words.replaceAll(/[^\w\s-]/g, '').replaceAll(' ', '-')
}

interface Signature {
  /** Such as `orders.create(order: OrderInput)`; the options of a call, which all have, are left out. */
  shown: string
  /** What the call resolves to. */
  answer: string
}

const namespaces = ['users', 'insurance', 'link', 'lab-tests', 'orders', 'aggregate', 'summaries']

/** The methods of the client by operation, read from its sources. */
const signatures: ReadonlyMap<string, Signature> = new Map(namespaces.flatMap(signaturesOf))

function signaturesOf(file: string): [string, Signature][] {
  const path = `src/resources/${file}.ts`
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const namespace = file.replace('-t', 'T')
  const methods = source.statements
    .filter(ts.isClassDeclaration)
    .flatMap(({ members }) => [...members.filter(ts.isMethodDeclaration)])
  return methods.map((method) => {
    const id = `${namespace}.${method.name.getText(source)}`
    const parameters = method.parameters.filter(({ name }) => name.getText(source) !== 'options')
    const given = parameters.map((parameter) => {
      const { name, type, initializer } = parameter
      const written = withoutGenerics(type?.getText(source) ?? '')
      return `${name.getText(source)}${initializer ? '?' : ''}: ${written}`
    })
    const answer = withoutGenerics(answerOf(method.type?.getText(source) ?? ''))
    return [id, { shown: `${id}(${given.join(', ')})`, answer }]
  })
}

/** Of `Call<T>` and `PageCall<Page, Item>` what they resolve to. */
function answerOf(type: string): string {
  return /^(?:Page)?Call<(.*?)(?:, \w+)?>$/.exec(type)?.[1] ?? type
}

function withoutGenerics(type: string): string {
  return type.replace(/<(?:readonly )?(?:Queries|AnyQuery\[\])>|<readonly AnyQuery\[\]>/g, '')
}
