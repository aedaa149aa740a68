import { readFileSync } from 'node:fs'
import ts from 'typescript'
import type { CallEffect } from '../../../src/client/errors/service-error.ts'
import { type Failure, retryDelay } from '../../../src/client/retries/retry.ts'
import { endpoints } from '../../../src/contract/endpoints.ts'
import {
  type Operation,
  operations,
  type RetryableFailure,
} from '../../../src/contract/operations.ts'
import type { Endpoint } from '../../../src/contract/schema-tools/endpoint.ts'
import { code, fillPage, table } from './markdown.ts'
import { orderedOperations } from './operation-order.ts'

/** Request bodies that make the service wait, keyed by a description. */
const waitingBodies: Record<string, Record<string, object>> = {
  'link.bulkImport': { 'with `wait_for_completion`': { wait_for_completion: true } },
  'orders.bookPhlebotomyAppointment': {
    'without `async_confirmation`': {},
    'with `async_confirmation` (default)': { async_confirmation: true },
    'with `async_confirmation` (maximum)': {
      async_confirmation: true,
      sync_confirmation_timeout_millisecond: 10_000,
    },
  },
}

/** Returns the service's own waits in milliseconds, each with a description of the request body. */
export function waitsOf(id: string): [string, number][] {
  const endpoint: Endpoint | undefined = endpoints.find((candidate) => candidate.id === id)
  const serviceWait = endpoint?.serviceWait
  if (serviceWait && !waitingBodies[id])
    throw new Error(`Add ${id} to waitingBodies in scripts/docs/reference/operations.ts.`)
  // The bodies have the fields that the functions read.
  return Object.entries(waitingBodies[id] ?? {}).map(([when, body]) => [
    when,
    serviceWait?.(body as never) ?? 0,
  ])
}

type Cause = RetryableFailure | '409'

const failures: readonly [Cause, Failure][] = [
  ['not sent', { neverSent: true }],
  ['no response', { neverSent: false }],
  ['408', { neverSent: false, status: 408 }],
  ['409', { neverSent: false, status: 409 }],
  ['429', { neverSent: false, status: 429 }],
  ['500', { neverSent: false, status: 500 }],
  ['502', { neverSent: false, status: 502 }],
  ['503', { neverSent: false, status: 503 }],
  ['503 with Retry-After', { neverSent: false, status: 503, retryAfter: 0 }],
  ['504', { neverSent: false, status: 504 }],
]

/** Returns the failures after which `retryDelay` retries a call. */
export function retriedAfter(effect: CallEffect): Cause[] {
  const allowance = { retries: 1, remaining: 60_000 }
  const first = { number: 1, jitter: 0 }
  const retried = failures
    .filter(([, failure]) => retryDelay(failure, effect, allowance, first) !== undefined)
    .map(([name]) => name)
  // 503 includes 503 with Retry-After.
  const hasAny503 = retried.includes('503')
  return retried.filter((name) => !(hasAny503 && name === '503 with Retry-After'))
}

export function operationsPage(): string {
  const effects: readonly CallEffect[] = ['read-only', 'idempotent', 'keyed', 'non-idempotent']
  const names: Partial<Record<CallEffect, string>> = { keyed: 'idempotent with a key' }
  const effectTable = table(
    ['Effect', 'Retried after'],
    effects.map((effect) => [names[effect] ?? effect, retriedAfter(effect).join(', ')]),
  )
  const callTable = table(['Call', 'Request', 'Effect', 'Section'], orderedOperations.map(cells))
  return fillPage('operations.md', { operations: callTable, effects: effectTable })
}

function cells({ id, title, method, path, section, effect, deprecated }: Operation): string[] {
  const call = signatures.get(id)
  return [
    call
      ? `${code(call.shown)}<br>returns ${code(call.result)}`
      : `None (deprecated; use ${code(deprecated?.replacement)})`,
    call ? `[${code(`${method} ${path}`)}](${pageOf(id)})` : code(`${method} ${path}`),
    acceptsKey(id) ? `${effect}; with an \`idempotencyKey\`, idempotent` : effect,
    `[${section}](specification.md#${anchorOf(section)})${badgeOf(id, title)}`,
  ]
}

/** Whether an idempotency key makes the call idempotent (assumption). */
export function acceptsKey(id: string): boolean {
  const endpoint: Endpoint | undefined = endpoints.find((candidate) => candidate.id === id)
  return endpoint?.acceptsIdempotencyKey ?? false
}

/** Returns the page of an operation, relative to the table. */
function pageOf(id: string): string {
  return `operations/${id.replace('.', '-')}.md`
}

/** Returns a line for each method of the client: its signature, its result, and its effect unless it is read-only. */
export function methodLines(): string[] {
  return operations.flatMap(({ id, effect }) => {
    const call = signatures.get(id)
    const note = effect === 'read-only' ? '' : ` (${effect})`
    return call ? [`- \`client.${call.shown}\` returns \`${call.result}\`${note}`] : []
  })
}

/** The rows on the page "Assumptions" that the paths, parameters or responses of operations depend on. */
const rows: Record<string, string> = {
  'labTests.list': 'list-of-lab-tests',
  'labTests.listMarkers': 'names-of-the-marker-filters',
  'labTests.listOrderSetMarkers': 'pagination-of-order-set-markers',
  'link.listBulkOps': 'states-and-list-of-bulk-operations',
  'orders.create': 'orders',
  'orders.downloadRequisition': 'orders',
  'orders.getPhlebotomyAppointment': 'orders',
  'summaries.list': 'summaries',
}

/** Returns a link to the assumption behind an operation, which the site shows as a badge. */
export function badgeOf(id: string, title: string): string {
  const row = rows[id]
  if (row) return `<br>[assumption](assumptions.md#${row})`
  if (title.includes('assumed'))
    throw new Error(`Add ${id} to rows in scripts/docs/reference/operations.ts.`)
  return ''
}

/** Returns the anchor of a section heading in the specification. */
export function anchorOf(section: string): string {
  const headings =
    readFileSync('docs/reference/specification.md', 'utf8').match(/^#{2,3} .*$/gm) ?? []
  const heading = headings.find((text) =>
    new RegExp(`^#+ ${section.replace('.', '\\.')}\\.? `).test(text),
  )
  if (!heading) throw new Error(`The specification has no section ${section}.`)
  const words = heading.replace(/^#+ /, '').toLowerCase()
  return words.replaceAll(/[^\w\s-]/g, '').replaceAll(' ', '-')
}

export interface Parameter {
  name: string
  type: string
  description: string
  isOptional: boolean
}

export interface Signature {
  /** The signature, such as `orders.create(order: OrderInput)`, without the options that every call has. */
  shown: string
  /** The type that the call resolves to. */
  result: string
  /** The parameters, without the options that every call has. */
  parameters: Parameter[]
  /** The doc comment without its tags. */
  description: string
  /** The class and condition of each error. */
  throws: [error: string, condition: string][]
}

const namespaces = ['users', 'insurance', 'link', 'lab-tests', 'orders', 'aggregate', 'summaries']

/** The client methods, keyed by operation and read from the source. */
export const signatures: ReadonlyMap<string, Signature> = new Map(namespaces.flatMap(signaturesOf))

function signaturesOf(file: string): [string, Signature][] {
  const path = `src/client/resources/${file}.ts`
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const namespace = file.replace('-t', 'T')
  const methods = source.statements
    .filter(ts.isClassDeclaration)
    .flatMap(({ members }) => [...members.filter(ts.isMethodDeclaration)])
  // The comment of an overloaded method is above its first signature.
  const documented = (name: string) =>
    methods.find((method) => method.name.getText(source) === name)
  return methods.map((method) => {
    const id = `${namespace}.${method.name.getText(source)}`
    const parameters = method.parameters.filter(({ name }) => name.getText(source) !== 'options')
    const given = parameters.map((parameter) => {
      const { name, type, initializer } = parameter
      const written = withoutGenerics(type?.getText(source) ?? '')
      return `${name.getText(source)}${initializer ? '?' : ''}: ${written}`
    })
    const result = withoutGenerics(resultOf(method.type?.getText(source) ?? ''))
    const first = documented(method.name.getText(source)) ?? method
    const tags = ts.getJSDocTags(first)
    const doc = ts.getJSDocCommentsAndTags(first).find(ts.isJSDoc)
    return [
      id,
      {
        shown: `${id}(${given.join(', ')})`,
        result,
        parameters: parameters.map((parameter) => {
          const name = parameter.name.getText(source)
          const type = withoutGenerics(parameter.type?.getText(source) ?? '')
          const params = tags.filter(ts.isJSDocParameterTag)
          const tag = params.find((param) => param.name.getText(source) === name)
          return {
            name,
            type: constraintOf(type, method) ?? type.replace(/ \| undefined$/, ''),
            description: textOf(tag?.comment),
            isOptional: Boolean(parameter.initializer ?? parameter.questionToken),
          }
        }),
        description: textOf(doc?.comment),
        throws: tags
          .filter(ts.isJSDocThrowsTag)
          .map((tag) => [tag.typeExpression?.type.getText(source) ?? '', textOf(tag.comment)]),
      },
    ]
  })
}

function textOf(comment: ts.JSDoc['comment']): string {
  const text = ts.getTextOfJSDocComment(comment) ?? ''
  return text.replaceAll(/\{@link (\w+)\.?\w*\}/g, '`$1`').trim()
}

/** Returns the type that a type parameter extends, such as `SummaryResource`. */
function constraintOf(type: string, { typeParameters }: ts.MethodDeclaration): string | undefined {
  return typeParameters?.find(({ name }) => name.text === type)?.constraint?.getText()
}

/** @param type `Call<T>` or `PageCall<Page, Item>`. */
function resultOf(type: string): string {
  return /^(?:Page)?Call<(.*?)(?:, \w+)?>$/.exec(type)?.[1] ?? type
}

function withoutGenerics(type: string): string {
  return type.replace(/<(?:readonly )?(?:Queries|AnyQuery\[\])>|<readonly AnyQuery\[\]>/g, '')
}
