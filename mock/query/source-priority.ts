import { compareText } from './filter.ts'
import type { Table } from './table.ts'

/** The types of sources, the preferred one first (assumption). */
const sourceTypes = [
  'lab',
  'automatic',
  'watch',
  'ring',
  'chest_strap',
  'scale',
  'cuff',
  'fingerprick',
  'manual_scan',
  'phone',
  'app',
  'multiple_sources',
  'unknown',
]

/**
 * Returns the rank of the source of each row, the best one first: by its type, then by the priority of its provider. Names
 * without a priority follow in their alphabetical order, nulls last. Undefined if all rows have one source.
 */
export function sourceRanks(
  { columns }: Table,
  providers: readonly string[],
): ((row: number) => number) | undefined {
  const { source_type: type, source_provider: provider } = columns
  if (type?.type !== 'text' || provider?.type !== 'text') return undefined
  const isSingle = ({ dictionary, codes }: typeof type) =>
    dictionary.length < 2 && (dictionary.length === 0 || !codes.includes(-1))
  if (isSingle(type) && isSingle(provider)) return undefined
  const ofType = rankNames(type.dictionary, sourceTypes)
  const ofProvider = rankNames(provider.dictionary, providers)
  const width = provider.dictionary.length + 1
  const rankOf = (ranks: readonly number[], code: number) => ranks[code] ?? ranks.length
  return (row) =>
    rankOf(ofType, type.codes[row] as number) * width +
    rankOf(ofProvider, provider.codes[row] as number)
}

/** Returns the rank of each name. */
function rankNames(names: readonly string[], priority: readonly string[]): number[] {
  const placeOf = (name: string) => {
    const place = priority.indexOf(name)
    return place === -1 ? priority.length : place
  }
  const sorted = names.toSorted(
    (one, other) => placeOf(one) - placeOf(other) || compareText(one, other),
  )
  return names.map((name) => sorted.indexOf(name))
}
