import { formatJunit, formatTable } from '../shared/reports.ts'
import type { ExpectationError } from './assertions.ts'
import { sectionOf } from './case.ts'
import { cellsOf, formatQuote } from './rules/rule.ts'
import { quotesOf } from './rules/rules.ts'

/** The result of one case. */
export interface CaseResult {
  /** The section and name, such as `3.1/pending-in-time`. */
  id: string
  /** The specification's section. */
  section: string
  /** What the service must do. */
  title: string
  /** Whether the case leaves the service unchanged. */
  readOnly: boolean
  /** The assumption on which the case depends, if any. */
  assumption?: string
  /** The outcome. `skipped`: the case did not run or does not apply. */
  outcome: 'passed' | 'failed' | 'skipped'
  /** Why the case failed or was skipped. Contains no bodies, ids or keys, unless a setup error does. */
  reason?: string
  /** What the case expected and found. Present only if the case failed. */
  failure?: CaseFailure
}

/** The results of a run, as plain JSON. */
export interface ConformanceReport {
  /** The service's base URL. */
  baseUrl: string
  /** The number of passed cases. */
  passed: number
  /** The number of failed cases. */
  failed: number
  /** The number of skipped cases. */
  skipped: number
  /** The cases' results, in specification order. With `bail`, the first failure is the last result. */
  results: CaseResult[]
}

/** Formats a report as a table for a terminal, with each reason below its case. */
export function toTable({ results }: ConformanceReport): string {
  return formatTable(results.map((result) => ({ ...result, notes: notesOf(result) })))
}

/** Formats a report as JUnit XML, with one test suite per part of the specification. */
export function toJunit({ results }: ConformanceReport): string {
  const printed = results.map((result) => ({ ...result, notes: notesOf(result) }))
  const suites = Map.groupBy(printed, ({ section }) => `part ${section.split('.')[0] ?? section}`)
  return formatJunit('conformance', suites)
}

const maxDifferences = 20

function notesOf({ failure }: CaseResult): string[] {
  if (!failure) return []
  const diff = failure.diff.slice(0, 2 * maxDifferences)
  const hidden = (failure.diff.length - diff.length) / 2
  return [
    ...diff,
    ...(hidden > 0 ? [`… and ${hidden} more`] : []),
    ...failure.sentences.map(({ section, text }) => `Specification ${section}: ${text}`),
  ]
}

/** A sentence in the specification that a failed case checks. */
export interface ViolatedSentence {
  /** The specification's section. */
  section: string
  /** The sentence, or the cells of a table row. */
  text: string
}

/** Why a case failed. */
export interface CaseFailure {
  /** What the specification requires. */
  expected: string
  /** What the service did. Never contains bodies, ids or keys. */
  found: string
  /** Pairs of lines, such as `- path: expected` and `+ path: found`. */
  diff: readonly string[]
  /** Up to three specification sentences that state the requirement, most relevant first. */
  sentences: readonly ViolatedSentence[]
}

const maxSentences = 3

export function describeCaseFailure(
  error: ExpectationError,
  rules: readonly string[],
): CaseFailure {
  const { expected, found } = splitMessage(error.message)
  const diff = error.differences.flatMap((difference) => [
    `- ${difference.path}: ${difference.expected}`,
    `+ ${difference.path}: ${difference.found}`,
  ])
  return {
    expected,
    found,
    diff: diff.length > 0 ? diff : [`- ${expected}`, `+ ${found}`],
    sentences: selectSentences(error.message, rules),
  }
}

function splitMessage(message: string): { expected: string; found: string } {
  const [, expected = message, found = 'something else'] =
    /^Expected (.*?)(?:,(?: but)? found (.*))?\.$/s.exec(message) ?? []
  return { expected, found }
}

/** Returns up to three sentences that state the rules. Sentences that mention a field from the message come first. */
function selectSentences(message: string, rules: readonly string[]): ViolatedSentence[] {
  const words = new Set(message.match(/\w+/g))
  const sentences = rules.flatMap((id) =>
    quotesOf(id).map((quote) => ({ section: sectionOf({ id }), quote })),
  )
  const unique = [...new Map(sentences.map((one) => [`${one.section} ${one.quote}`, one])).values()]
  const ranked = unique.toSorted(
    (one, other) => Number(namesField(other.quote, words)) - Number(namesField(one.quote, words)),
  )
  return ranked
    .slice(0, maxSentences)
    .map(({ section, quote }) => ({ section, text: formatQuote(quote) }))
}

/** Returns whether a quote names one of the words as a field, in the first cell of a table row or in backticks. */
function namesField(quote: string, words: ReadonlySet<string>): boolean {
  const names = quote.startsWith('|')
    ? cellsOf(quote).slice(0, 1)
    : [...quote.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
  return names.some((name) => words.has(name))
}
