import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { type Operation, operations } from '../../../src/contract/operations.ts'
import type { Effect } from '../../../src/contract/schema-tools/endpoint.ts'
import { type Member, membersOf } from './interfaces.ts'
import { code, table } from './markdown.ts'
import { type OperationExample, operationExamples } from './operation-examples.ts'
import {
  acceptsKey,
  anchorOf,
  badgeOf,
  type Parameter,
  retriedAfter,
  type Signature,
  signatures,
  waitsOf,
} from './operations.ts'
import { linkedNames, linkedType, valuesIn } from './type-links.ts'

/** Returns the pages of the operations that have a client method, keyed by file. */
export function operationPages(): Record<string, () => string> {
  const pages = operationExamples().map((example): [string, () => string] => [
    `docs/reference/operations/${example.id.replace('.', '-')}.md`,
    () => operationPage(example),
  ])
  return Object.fromEntries(pages)
}

let responses: Record<string, unknown> | undefined

/** Returns the mock's response to the example of an operation. */
function responseOf(id: string): unknown {
  responses ??= JSON.parse(
    execFileSync(
      process.execPath,
      ['--import', './scripts/package-sources.ts', 'scripts/docs/reference/operation-responses.ts'],
      { encoding: 'utf8' },
    ),
  ) as Record<string, unknown>
  return responses[id]
}

function operationPage({ id, program, notes }: OperationExample): string {
  const call = signatures.get(id)
  const operation = operations.find((candidate) => candidate.id === id)
  if (!call || !operation) throw new Error(`The client has no method ${id}.`)
  const [lead = '', ...more] = sentencesOf(
    linked(withoutSection(call.description, operation.section)),
  )
  return [
    `---\nkeywords: ${id}, ${operation.method} ${operation.path}\n---`,
    `# ${id}`,
    lead,
    factTable(operation, call),
    `\`\`\`ts\n${program}\`\`\``,
    id === 'aggregate.queryParquet' ? parquetPackages : '',
    more.join(' '),
    parametersOf(call),
    responseSection(id, call),
    errorsOf(id, call, operation.effect),
    `## Events and the mock\n\n${notes}`,
    `To inject a failure, use \`team.faults.add({ on: '${id}', then: 'lose_response' })\` (see [faults](../../testing/faults.md)).`,
    'Next: [all operations](../operations.md), [errors](../errors.md), [assumptions](../assumptions.md).\n',
  ]
    .filter(Boolean)
    .join('\n\n')
}

const parquetPackages =
  'First, run `npm install --save-dev @faker-js/faker hyparquet-writer`, because the mock needs both packages.'

function sentencesOf(text: string): string[] {
  const plain = text.replaceAll(/\s+/g, ' ')
  return plain.split(/(?<=[.!]) (?=[A-Z`])/)
}

/** Removes an operation's section number from the first parentheses, because the table of facts contains it. */
function withoutSection(text: string, section: string): string {
  return text.replace(/ \((specification [^)]*)\)/, (_, note: string) => {
    const [sections = '', ...rest] = note.split('; ')
    const others = sections.match(/\d+\.\d+/g)?.filter((one) => one !== section) ?? []
    const first = others.length > 0 ? [`specification ${others.join(' and ')}`] : []
    const parts = [...first, ...rest]
    return parts.length > 0 ? ` (${parts.join('; ')})` : ''
  })
}

/** Turns section numbers of the specification into links. */
function linked(text: string): string {
  return text
    .replaceAll(
      /specification (\d+\.\d+)/g,
      (words, section: string) => `[${words}](../specification.md#${anchorOf(section)})`,
    )
    .replace(
      'The guide "Unknown outcomes" explains',
      'The guide to [unknown outcomes](../../guides/unknown-outcomes.md) explains',
    )
}

/** The conditions for a retry, except plain statuses. */
const conditionNames: Record<string, string> = {
  'not sent': 'the request was not sent',
  'no response': 'no complete response arrived',
  '503 with Retry-After': 'the status is 503 with Retry-After',
}

const listOfStatuses = new Intl.ListFormat('en-GB', { type: 'disjunction' })
const listOfConditions = new Intl.ListFormat('en-US', { type: 'disjunction' })

function retryConditions(effect: Effect): string {
  const failures = retriedAfter(effect)
  const statuses = failures.filter((failure) => !conditionNames[failure])
  const hasStatus = `the status is ${listOfStatuses.format(statuses)}`
  const conditions = failures.map((failure) => conditionNames[failure] ?? hasStatus)
  return listOfConditions.format(new Set(conditions))
}

/** Returns how an idempotency key changes the effect of a call. */
function effectOfKey(id: string): string {
  if (!acceptsKey(id)) return ''
  const usual = new Set<string>(retriedAfter('idempotent'))
  const more = retriedAfter('keyed').filter((failure) => !usual.has(failure))
  return `. With an \`idempotencyKey\`, retried like an idempotent call, and also if the status is ${listOfStatuses.format(more)}`
}

const slowCalls = '../../guides/timeouts-and-cancellation.md#calls-that-are-slow-by-design'

function factTable(operation: Operation, call: Signature): string {
  const { id } = operation
  const { method, path, effect, section, title } = operation
  const waits = waitsOf(id).map(([when, wait]) => `${wait / 1000} s ${when}`)
  const badge = badgeOf(id, title)
    .replaceAll('](assumptions.md', '](../assumptions.md')
    .replace('<br>', ' ')
  const rows = [
    ['Call', code(`client.${call.shown}`)],
    ['Request', code(`${method} ${path}`)],
    ['Effect', `${effect}; retried only if ${retryConditions(effect)}${effectOfKey(id)}`],
    ['Specification', `[${section}](../specification.md#${anchorOf(section)})${badge}`],
    ...(waits.length > 0 ? [[`[Added time](${slowCalls})`, waits.join('; ')]] : []),
  ]
  return table(['', ''], rows)
}

function parametersOf({ parameters }: Signature): string {
  if (parameters.length === 0) return ''
  const fields = parameters.flatMap((parameter) => [
    rowOf({ ...parameter, description: parameter.description || descriptionOf(parameter.type) }),
    ...fieldsOf(parameter.type, ''),
  ])
  return `## Parameters\n\n${table(['Parameter or field', 'Type', 'Meaning'], fields)}\n\nThe method also accepts [per-call options](../configuration.md#each-call) as its last argument.`
}

function rowOf({ name, type, description, isOptional }: Parameter): string[] {
  const values = valuesIn(type)
  const text = linkedNames(description.replaceAll('|', '\\|'))
  const rest = values ? text.replace(/^One of .*, or a value added later\.$/, '') : text
  return [
    isOptional ? code(name) : `${code(name)}<br>*required*`,
    linkedType(type),
    [rest, values].filter(Boolean).join(' '),
  ]
}

/** The file and parent of each interface in the contract and the client, keyed by name. */
const files = new Map(
  globSync(['src/contract/*.ts', 'src/client/**/*.ts']).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^export interface (\w+)(?: extends (\w+))?/gm)].map(
      ([, name = '', parent]): [string, { file: string; parent?: string | undefined }] => [
        name,
        { file, parent },
      ],
    ),
  ),
)

/** Returns the interface that a type contains, such as `OrderSet` in `OrderSet | null`. */
function interfaceOf(type: string): string | undefined {
  const [name] = type.replace(/^readonly /, '').split(/[[<| ]/)
  return name && files.has(name) ? name : undefined
}

function allMembersOf(name: string): Member[] {
  const found = files.get(name)
  if (!found) return []
  return [...(found.parent ? allMembersOf(found.parent) : []), ...membersOf(found.file, name)]
}

/** Returns a row for each field of an interface, with the fields of nested interfaces below it. */
function fieldsOf(type: string, prefix: string): string[][] {
  const name = interfaceOf(type)
  if (!name || prefix.split('.').length > 3) return []
  return allMembersOf(name).flatMap((member) => {
    const path = `${prefix}${member.name}${/\[\]/.test(member.type) && interfaceOf(member.type) ? '[]' : ''}`
    const fallback = member.defaultValue ? ` Default: ${member.defaultValue}.` : ''
    const row = rowOf({ ...member, name: path, description: `${member.description}${fallback}` })
    return [row, ...fieldsOf(member.type, `${path}.`)]
  })
}

function descriptionOf(type: string): string {
  return interfaceOf(type) ? 'An object with the fields below.' : ''
}

function responseSection(id: string, { result }: Signature): string {
  const body = responseOf(id)
  const head = `## Response\n\nThe call resolves to ${linkedType(result)}.`
  if (typeof body !== 'object' || body === null) {
    return `${head} The response body is a file, not JSON.`
  }
  const json = JSON.stringify(body, shortened, 2)
  const lists = hasLongList(body) ? ['each list of objects is shortened to its first item'] : []
  const strings = json.includes('…"') ? ['long strings are truncated'] : []
  const notes = [...lists, ...strings].join(', and ')
  const note = notes && ` On this page, ${notes}.`
  return `${head} For the example above, the mock returns this JSON.${note}\n\n\`\`\`json\n${json}\n\`\`\``
}

const longest = 60

/** Shortens long strings and lists of objects, but not the columns of tables, which are lists of values. */
function shortened(_: string, value: unknown): unknown {
  if (typeof value === 'string' && value.length > longest) return `${value.slice(0, longest)}…`
  return isListOfObjects(value) ? value.slice(0, 1) : value
}

function isListOfObjects(value: unknown): value is unknown[] {
  return Array.isArray(value) && typeof value[0] === 'object'
}

/** Returns whether a list of objects, at any depth, has several items. */
function hasLongList(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (isListOfObjects(value) && value.length > 1) return true
  return Object.values(value).some(hasLongList)
}

/** The errors for rejected requests, and their statuses. */
const rejections: Record<string, string> = {
  AuthenticationError: '401',
  PermissionDeniedError: '403',
  NotFoundError: '404',
  UnprocessableEntityError: '422',
}

const failures = ['RateLimitError', 'InternalServerError', 'ConnectionError', 'TimeoutError']

function errorsOf(id: string, { throws }: Signature, effect: Effect): string {
  const mayChangeData = effect !== 'read-only'
  // These calls are also retried after attempts that may have taken effect.
  const isRetriedWhenUnknown = effect === 'idempotent' || acceptsKey(id)
  const documented = throws.map(([error]) => error)
  const isOther = (error: string) => !documented.includes(error)
  const own = throws.map(([error, condition]) => [
    linkedType(error),
    [
      upperFirst(linked(condition).replaceAll(/\s+/g, ' ')),
      ...(rejections[error]
        ? [
            `The status is ${rejections[error]}${mayChangeData && !isRetriedWhenUnknown ? '; the request had no effect' : ''}.`,
          ]
        : []),
    ].join(' '),
  ])
  const invalid = ['RequestValidationError'].filter(isOther)
  const rejected = Object.keys(rejections).filter(isOther)
  const statuses = listOfStatuses.format(rejected.map((error) => rejections[error] ?? ''))
  const note = isRetriedWhenUnknown
    ? ' `outcome` says whether an earlier attempt may have taken effect.'
    : ' The request had no effect.'
  const rows = [
    ...own,
    ...invalid.map((error) => [
      linkedType(error),
      'When an argument is invalid. Nothing was sent.',
    ]),
    [
      rejected.map(linkedType).join(', '),
      `When the service rejects the request with ${statuses}.${mayChangeData ? note : ''}`,
    ],
    [
      failures.filter(isOther).map(linkedType).join(', '),
      `When no attempt succeeded.${mayChangeData ? ' `outcome` says whether the request may have taken effect.' : ''}`,
    ],
  ]
  return `## Errors\n\n${table(['Error', 'Thrown'], rows)}`
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
