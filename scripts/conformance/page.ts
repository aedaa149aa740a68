import { readFileSync, writeFileSync } from 'node:fs'
import { type ConformanceCase, sectionOf } from '../../src/conformance/case.ts'
import { conformanceCases } from '../../src/conformance/cases.ts'
import { formatQuote, type Rule } from '../../src/conformance/rules/rule.ts'
import { specificationRules } from '../../src/conformance/rules/rules.ts'
import { type Sentence, sectionNumbers, sentencesOf } from './sentences.ts'

/** The files that implement the rules of each section, and of single rules. */
export const code: Record<string, readonly string[]> = {
  '2.1': ['src/contract/users.ts', 'mock/routes/users.ts', 'mock/routes/person-rules.ts'],
  '2.2': [
    'src/contract/insurance.ts',
    'src/contract/people.ts',
    'mock/state/collections/insurance.ts',
  ],
  '2.3': ['src/contract/users.ts', 'mock/state/sign-in.ts'],
  '2.4': ['src/contract/link.ts', 'mock/state/imports.ts'],
  '2.5': ['src/contract/markers.ts', 'mock/state/collections/lab-tests.ts'],
  '2.6': ['src/contract/appointments.ts', 'mock/state/bookings/appointments.ts'],
  '2.7': ['src/contract/link.ts', 'mock/data/providers.ts'],
  '2.8': ['src/contract/source.ts', 'mock/state/collections/source.ts'],
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
  '9': ['src/contract/values/deprecations.ts', 'src/contract/operations.ts'],
  '9/source-fields': ['mock/state/collections/source.ts'],
}

/** Returns `docs/trust/conformance.md`: the introduction, and a table of the sentences and their cases for each section. */
export function page(): string {
  const introduction = readFileSync(new URL('introduction.md', import.meta.url), 'utf8')
  const sections = sectionNumbers.filter((number) => sentencesOf(number).length > 0)
  return [introduction, ...sections.map(sectionText)].join('\n')
}

function sectionText(number: string): string {
  const rows = sentencesOf(number).map((sentence) => {
    const rules = rulesOf(sentence)
    const files = [...(code[number] ?? []), ...rules.flatMap(({ id }) => code[id] ?? [])]
    const cells = [
      formatQuote(sentence.text).replaceAll('<', '&lt;'),
      casesText(sentence, rules),
      [...new Set(files)].map(link).join('<br>'),
    ]
    return `| ${cells.join(' | ')} |`
  })
  return [`### ${number}`, '', '| Sentence | Cases | Code |', '|---|---|---|', ...rows, ''].join(
    '\n',
  )
}

/** Returns the rules that a sentence states. */
export function rulesOf({ section, text }: Sentence): Rule[] {
  return specificationRules.filter(
    (rule) => sectionOf(rule) === section && rule.quotes.includes(text),
  )
}

function casesText({ isOpen }: Sentence, rules: readonly Rule[]): string {
  const ids = rules.map(({ id }) => id)
  const cases = conformanceCases.filter((one) => one.rules.some((rule) => ids.includes(rule)))
  const shown = cases.map((one) => `\`${one.id}\` ${one.title}${conditionsText(one)}`)
  const reasons = rules.flatMap(({ reason }) => (reason ? [`None: ${reason}`] : []))
  const open = isOpen && rules.length === 0 ? ['None: the specification leaves it open.'] : []
  return [...shown, ...reasons, ...open].join('<br>')
}

/** Returns whether a case makes an assumption, is read-only, and what it needs. */
function conditionsText({ assumption, readOnly, needs }: ConformanceCase): string {
  const conditions = [
    ...(assumption === undefined ? [] : ['assumption']),
    ...(readOnly ? ['read-only'] : []),
    ...needs.map((need) => `needs \`${need}\``),
  ]
  return conditions.length > 0 ? ` (${conditions.join(', ')})` : ''
}

function link(file: string): string {
  return `[${file}](../../${file})`
}

if (import.meta.main) writeFileSync('docs/trust/conformance.md', page())
