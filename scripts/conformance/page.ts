import { readFileSync, writeFileSync } from 'node:fs'
import { type ConformanceCase, sectionOf } from '../../src/conformance/case.ts'
import { conformanceCases } from '../../src/conformance/cases.ts'
import type { Rule } from '../../src/conformance/rule.ts'
import { specificationRules } from '../../src/conformance/rules.ts'
import { section } from '../../test/support/specification.ts'

/** The files that implement the rules of each section, and of single rules. */
export const code: Record<string, readonly string[]> = {
  '2.1': ['src/contract/users.ts', 'mock/routes/users.ts', 'mock/routes/person-rules.ts'],
  '2.2': ['src/contract/insurance.ts', 'src/contract/people.ts', 'mock/state/records/insurance.ts'],
  '2.3': ['src/contract/users.ts', 'mock/state/sign-in.ts'],
  '2.4': ['src/contract/link.ts', 'mock/state/imports.ts'],
  '2.5': ['src/contract/markers.ts', 'mock/state/records/lab-tests.ts'],
  '2.6': ['src/contract/appointments.ts', 'mock/state/bookings/appointments.ts'],
  '2.7': ['src/contract/link.ts', 'mock/data/providers.ts'],
  '2.8': ['src/contract/source.ts', 'mock/state/records/source.ts'],
  '2.9': ['src/contract/summaries.ts', 'mock/routes/summaries.ts'],
  '2.10': ['src/contract/aggregate.ts', 'mock/query/engine.ts'],
  '3.1': ['mock/state/bookings/bookings.ts', 'mock/state/bookings/appointments.ts'],
  '3.2': ['mock/state/imports.ts'],
  '4': ['mock/http/exchange.ts', 'src/client/transport/transport.ts'],
  '4.1': ['src/contract/insurance.ts', 'mock/routes/insurance.ts'],
  '4.1/inference': ['mock/data/payors.ts'],
  '4.2': ['src/contract/users.ts', 'mock/routes/users.ts'],
  '4.3': ['src/contract/link.ts', 'mock/routes/link.ts', 'mock/state/imports.ts'],
  '4.4': ['src/contract/lab-tests.ts', 'mock/routes/lab-tests.ts'],
  '4.5': ['src/contract/lab-tests.ts', 'mock/routes/lab-tests.ts'],
  '4.6': ['src/contract/lab-tests.ts', 'mock/routes/lab-tests.ts'],
  '4.7': ['src/contract/users.ts', 'mock/routes/users.ts'],
  '4.8': [
    'src/contract/appointments.ts',
    'mock/routes/orders.ts',
    'mock/state/bookings/bookings.ts',
  ],
  '4.9': ['src/contract/link.ts', 'mock/routes/link.ts'],
  '4.10': ['src/contract/link.ts', 'mock/routes/link.ts'],
  '4.11': ['src/contract/aggregate.ts', 'mock/routes/aggregate.ts', 'mock/query/engine.ts'],
  '4.11/parquet': ['mock/query/parquet.ts', 'mock/faults/corrupt-archive.ts'],
  '4.12': ['mock/routes/summaries.ts', 'mock/routes/orders.ts', 'mock/routes/lab-tests.ts'],
  '4.12/requisition': ['mock/http/requisition.ts'],
  '5': ['mock/http/exchange.ts', 'src/client/transport/transport.ts'],
  '6': [
    'src/contract/events.ts',
    'src/contract/values/event-types.ts',
    'mock/events/outbox.ts',
    'mock/events/bodies.ts',
    'src/contract/source.ts',
  ],
  '7': ['mock/routes/orders.ts', 'mock/routes/link.ts'],
  '8': ['src/contract/values/bounds.ts'],
  '8/requisition-url': ['mock/http/requisition.ts'],
  '9': ['src/contract/values/deprecations.ts', 'src/contract/endpoints.ts'],
  '9/source-fields': ['mock/state/records/source.ts'],
}

/** Returns `docs/trust/conformance.md`: the introduction, and tables of the rules and cases. */
export function page(): string {
  const introduction = readFileSync(new URL('introduction.md', import.meta.url), 'utf8')
  const sections = [...Map.groupBy(specificationRules, sectionOf)]
  return [introduction, ...sections.map(([number, rules]) => sectionText(number, rules))].join('\n')
}

function sectionText(number: string, rules: readonly Rule[]): string {
  const rows = rules.map((rule) => {
    const files = [...(code[number] ?? []), ...(code[rule.id] ?? [])]
    const cells = [rulesText(rule, number), casesText(rule), files.map(link).join('<br>')]
    return `| ${cells.join(' | ')} |`
  })
  return [`### ${number}`, '', '| Rule | Cases | Code |', '|---|---|---|', ...rows, ''].join('\n')
}

function rulesText({ table, quotes }: Rule, number: string): string {
  if (table) return `${table}.`
  const lines = section(number).split('\n')
  return quotes
    .map((words) => wordsFrom(words, lines.find((line) => line.includes(words)) ?? ''))
    .join('<br>')
}

/** Returns a line of the specification from the quote on; cells of a table row are joined. */
function wordsFrom(words: string, line: string): string {
  const cells = line.startsWith('|')
    ? line.slice(1, -1).split('|')
    : [line.slice(line.indexOf(words)).replace(/^(?:-|\d\.) /, '')]
  const texts = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  return texts.join('; ').replaceAll('<', '&lt;')
}

function casesText({ id, reason }: Rule): string {
  const cases = conformanceCases.filter(({ rules }) => rules.includes(id))
  const shown = cases.map((one) => `\`${one.id}\` ${one.title}${conditionsText(one)}`)
  return [...shown, ...(reason ? [`None: ${reason}`] : [])].join('<br>')
}

/** Returns whether a case is read-only, and what it needs. */
function conditionsText({ readOnly, needs }: ConformanceCase): string {
  const conditions = [
    ...(readOnly ? ['read-only'] : []),
    ...needs.map((need) => `needs \`${need}\``),
  ]
  return conditions.length > 0 ? ` (${conditions.join(', ')})` : ''
}

function link(file: string): string {
  return `[${file}](../../${file})`
}

if (import.meta.main) writeFileSync('docs/trust/conformance.md', page())
