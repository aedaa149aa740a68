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
  const ofType = rankCodes(type.dictionary, sourceTypes)
  const ofProvider = rankCodes(provider.dictionary, providers)
  const [types, sources, width] = [type.codes, provider.codes, ofProvider.length]
  return (row) =>
    // Every code has a rank.
    (ofType[(types[row] as number) + 1] as number) * width +
    (ofProvider[(sources[row] as number) + 1] as number)
}

/** Returns the rank of each code of a text column at the index after it: -1 means null and has the last rank. */
function rankCodes(names: readonly string[], priority: readonly string[]): Int32Array {
  return Int32Array.from([names.length, ...rankNames(names, priority)])
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
