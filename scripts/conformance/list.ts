import { type ConformanceCase, sectionOf } from '../../src/conformance/case.ts'
import { conformanceCases } from '../../src/conformance/cases.ts'
import { formatQuote, type Rule } from '../../src/conformance/rules/rule.ts'
import { specificationRules } from '../../src/conformance/rules/rules.ts'
import { type Sentence, sectionTitles, sentencesOf } from './sentences.ts'

/** The files that implement the rules, keyed by section or rule. */
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
  '2.7': ['src/contract/link.ts', 'mock/reference-data/providers.ts'],
  '2.8': ['src/contract/source.ts', 'mock/state/collections/source.ts'],
  '2.9': ['src/contract/summaries.ts', 'mock/routes/summaries.ts'],
  '2.10': ['src/contract/aggregate.ts', 'mock/query/engine.ts'],
  '3.1': ['mock/state/bookings/bookings.ts', 'mock/state/bookings/appointments.ts'],
  '3.2': ['mock/state/imports.ts'],
  '4': ['mock/http/exchange.ts', 'src/client/transport/transport.ts'],
  '4.1': ['src/contract/insurance.ts', 'mock/routes/insurance.ts'],
  '4.1/inference': ['mock/reference-data/payors.ts'],
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

export interface ListedSentence {
  section: string
  text: string
  /** The ids of the cases that check the sentence. */
  cases: string[]
  /** Why no case checks the sentence. */
  reason?: string
  /** The files that implement the sentence. */
  code: string[]
}

/** The list on the page Conformance: every sentence, and each case once. */
export interface ConformanceList {
  /** The title and conditions of each case, keyed by id. */
  cases: Record<string, { title: string; conditions: string[] }>
  sentences: ListedSentence[]
  /** The titles of the sections, keyed by number. */
  titles: Record<string, string>
}

/** Lists the sentences and table rows of parts 2 to 9. */
export function conformanceList(): ConformanceList {
  const cases = conformanceCases.map((one) => {
    const listed = { title: one.title, conditions: conditionsOf(one) }
    return [one.id, listed] as const
  })
  const sentences = [...sectionTitles.keys()].flatMap(sentencesOf).map(listSentence)
  return { cases: Object.fromEntries(cases), sentences, titles: Object.fromEntries(sectionTitles) }
}

function listSentence(sentence: Sentence): ListedSentence {
  const { section, text, isOpen } = sentence
  const rules = rulesOf(sentence)
  const ids = rules.map(({ id }) => id)
  const cases = conformanceCases.filter((one) => one.rules.some((rule) => ids.includes(rule)))
  const open = isOpen && rules.length === 0 ? 'The specification leaves it open.' : undefined
  const reason = rules.find((rule) => rule.reason)?.reason ?? open
  const files = [section, ...ids].flatMap((id) => code[id] ?? [])
  return {
    section,
    text: formatQuote(text),
    cases: cases.map(({ id }) => id),
    ...(reason ? { reason } : {}),
    code: [...new Set(files)],
  }
}

export function rulesOf({ section, text }: Sentence): Rule[] {
  return specificationRules.filter(
    (rule) => sectionOf(rule) === section && rule.quotes.includes(text),
  )
}

function conditionsOf({ assumption, readOnly, needs }: ConformanceCase): string[] {
  return [
    ...(assumption === undefined ? [] : ['assumption']),
    ...(readOnly ? ['read-only'] : []),
    ...needs.map((need) => `needs ${need}`),
  ]
}
