import { type SentRecord, wrongFields } from './compare.ts'
import { expectThat, NotObservable } from './expectation.ts'
import type { ProbedRecord } from './probe.ts'

interface Difference {
  kind: keyof typeof meanings
  resource: string
  fields: readonly string[]
}

const meanings = {
  lost: 'is missing',
  doubled: 'is stored twice',
  stale: 'is outdated',
  different: 'differs',
} as const

/**
 * Compares the stored records with the expected ones. Ignores resources for which the receiver stored nothing.
 *
 * @throws {ReceiverFailure} for the first difference, or {@link NotObservable} if the receiver stored none of the
 * resources.
 */
export function compareWithTruth(
  truth: readonly SentRecord[],
  stored: readonly ProbedRecord[],
): void {
  const byId = Map.groupBy(stored, ({ id }) => id)
  const matches = (record: SentRecord) => byId.get(record['id']) ?? []
  const seen = new Set(
    truth.filter((record) => matches(record).length > 0).map(({ resource }) => resource),
  )
  if (seen.size === 0) {
    throw new NotObservable("no id in the probe's records matches the living user's records")
  }
  const differences = truth
    .filter(({ resource }) => seen.has(resource))
    .flatMap((record) => differenceOf(record, matches(record)) ?? [])
  expectThat(differences.length === 0, describeAll(differences))
}

function differenceOf(
  record: SentRecord,
  [match, ...others]: readonly ProbedRecord[],
): Difference | undefined {
  const resource = String(record['resource'])
  if (!match) return { kind: 'lost', resource, fields: [] }
  if (others.length > 0) return { kind: 'doubled', resource, fields: [] }
  const fields = wrongFields(record, match)
  if (fields.length === 0) return undefined
  return { kind: isStale(record, match) ? 'stale' : 'different', resource, fields }
}

/** Returns whether the stored record is an older version, judging by `updated_at` or a night's state. */
function isStale(record: SentRecord, stored: ProbedRecord): boolean {
  const [latest, found] = [record, stored].map(({ updated_at }) => Date.parse(String(updated_at)))
  const isOlder = found !== undefined && latest !== undefined && found < latest
  return isOlder || (stored['state'] === 'tentative' && record['state'] === 'confirmed')
}

function describeAll(differences: readonly Difference[]): string {
  const [first] = differences
  if (!first) return ''
  const { kind, resource, fields } = first
  const names = fields.length > 0 ? ` (${fields.join(', ')})` : ''
  const others = differences.length - 1
  const more =
    others > 0 ? `, and ${others} more ${others === 1 ? 'row differs' : 'rows differ'}` : ''
  return `The stored rows differ from team.truth: one ${resource} row ${meanings[kind]}${names}${more}.`
}
