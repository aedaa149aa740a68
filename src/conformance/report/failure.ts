import type { ExpectationError } from '../assertions.ts'
import { formatQuote } from '../rules/rule.ts'
import { specificationRules } from '../rules/rules.ts'

/** A sentence of the specification that a failed case checks. */
export interface ViolatedSentence {
  /** The section of the specification. */
  section: string
  /** The sentence, or the cells of a table row. */
  text: string
}

/** Why a case failed. */
export interface CaseFailure {
  /** What the specification requires. */
  expected: string
  /** What the service did; without bodies, ids and keys. */
  found: string
  /** Each place that differs: `- path: expected`, then `+ path: found`. */
  diff: readonly string[]
  /** The sentences of the specification that say so, the nearest first. */
  sentences: readonly ViolatedSentence[]
}

/** The sentences that a report shows for a failure. */
const maxSentences = 3

/** Returns what a report says about a failed case that checks these rules. */
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
    /^Expected (.*?)(?:, found (.*))?\.$/s.exec(message) ?? []
  return { expected, found }
}

/** Returns the sentences of rules; those that name a field of the message come first. */
function selectSentences(message: string, rules: readonly string[]): ViolatedSentence[] {
  const words = new Set(message.match(/\w+/g))
  const sentences = rules.flatMap((id) => {
    const quotes = specificationRules.find((rule) => rule.id === id)?.quotes ?? []
    return quotes.map((quote) => ({ section: id.slice(0, id.indexOf('/')), quote }))
  })
  const unique = [...new Map(sentences.map((one) => [`${one.section} ${one.quote}`, one])).values()]
  const ranked = unique.toSorted(
    (one, other) => Number(namesField(other.quote, words)) - Number(namesField(one.quote, words)),
  )
  return ranked
    .slice(0, maxSentences)
    .map(({ section, quote }) => ({ section, text: formatQuote(quote) }))
}

/** Whether the first cell of a table row, or a name in backticks, is one of the words. */
function namesField(quote: string, words: ReadonlySet<string>): boolean {
  const names = quote.startsWith('|')
    ? [formatQuote(quote).split(';')[0] ?? '']
    : [...quote.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
  return names.some((name) => words.has(name))
}
