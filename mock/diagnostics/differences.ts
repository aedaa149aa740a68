import { isObject } from '../../src/shared/narrow.ts'
import type { EmittedEvent } from '../events/outbox.ts'
import type { SentRow, TruthRow } from '../living/events/truth.ts'
import { shorten } from './text.ts'

/** A row that a consumer stored: fields of an item in an event, plus the resource, user and source. */
export type StoredRow = Readonly<Record<string, unknown>>

/** The first difference between a consumer's stored rows and the rows that it should have stored. */
export interface Difference {
  /**
   * The kind of difference: `lost` if the row is missing, `doubled` if it is stored more than once, `stale` if an older
   * version is stored, `different` if a field has a different value, or `unknown` if no event delivered the row.
   */
  readonly kind: 'lost' | 'doubled' | 'stale' | 'different' | 'unknown'
  /** The resource name used in event types, such as `sleep`. */
  readonly resource: string
  /** The names of the fields that differ. Source fields have a prefix, as in `source.app_id`. */
  readonly fields: readonly string[]
  /** The row that the consumer should have stored, or undefined if no event delivered it. */
  readonly expected: TruthRow | undefined
  /** The row that the consumer stored, or undefined if it is missing. */
  readonly stored: StoredRow | undefined
  /** The event that delivered the row, or undefined if no event did or the team no longer stores the event. */
  readonly event: EmittedEvent | undefined
  /** A description of the difference, without ids or values. */
  readonly message: string
}

/** A difference before its event is looked up and its message is written. */
export interface Found extends Pick<Difference, 'kind' | 'fields' | 'stored'> {
  sent: SentRow | undefined
}

/** A test runner's matcher, such as `expect.any(String)`. */
interface AsymmetricMatcher {
  asymmetricMatch(actual: unknown): boolean
}

/**
 * Returns a line for each value that differs. As with `toMatchObject`, objects may contain additional fields, and lists
 * must have the same length. Expected dates are compared as strings, as in JSON.
 */
export function findDifferences(actual: unknown, expected: unknown, path: string): string[] {
  if (isAsymmetric(expected)) {
    return expected.asymmetricMatch(actual) ? [] : [differenceAt(path, actual, expected)]
  }
  const wanted = toJson(expected)
  if (Array.isArray(wanted)) {
    return Array.isArray(actual) && actual.length === wanted.length
      ? wanted.flatMap((item, index) => findDifferences(actual[index], item, `${path}[${index}]`))
      : [differenceAt(path, actual, wanted)]
  }
  if (!isObject(wanted)) return actual === wanted ? [] : [differenceAt(path, actual, wanted)]
  if (!isObject(actual)) return [differenceAt(path, actual, wanted)]
  return Object.entries(wanted).flatMap(([name, inner]) =>
    findDifferences(
      Object.hasOwn(actual, name) ? actual[name] : undefined,
      inner,
      `${path}.${name}`,
    ),
  )
}

function differenceAt(path: string, actual: unknown, expected: unknown): string {
  return `${path}: expected ${formatExpected(expected)}, received ${formatExpected(actual)}`
}

/** Formats a value as JSON, with matchers replaced by their names. */
export function formatExpected(value: unknown): string {
  const json = JSON.stringify(value, (_, inner) => (isAsymmetric(inner) ? nameOf(inner) : inner))
  return shorten(json ?? 'nothing')
}

function isAsymmetric(value: unknown): value is AsymmetricMatcher {
  return typeof Object(value).asymmetricMatch === 'function'
}

interface NamedMatcher {
  toAsymmetricMatcher?: () => string
  sample?: unknown
}

function nameOf(matcher: AsymmetricMatcher): string {
  const { toAsymmetricMatcher, sample }: NamedMatcher = Object(matcher)
  const name = toAsymmetricMatcher?.call(matcher) ?? String(matcher)
  const wanted = typeof sample === 'string' ? sample : Object(sample).source
  return wanted === undefined ? name : `${name} ${wanted}`
}

function toJson(value: unknown): unknown {
  const { toJSON } = Object(value)
  return typeof toJSON === 'function' ? toJSON.call(value) : value
}
