import { present } from '../../src/shared/narrow.ts'
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
 * The ranks of the sources of rows, the best one first. The rank of a row is `ofTypes[types[at] + 1]` and
 * `ofProviders[providers[at] + 1]` added up: loops over many rows compute it themselves, because a call takes longer.
 */
export interface SourceRanks {
  /** The code of the type of each row; -1 for null. */
  types: Int32Array
  /** The code of the provider of each row; -1 for null. */
  providers: Int32Array
  /** The rank of each code of a type, at the index after it. */
  ofTypes: Int32Array
  /** The rank of each code of a provider, at the index after it. */
  ofProviders: Int32Array
}

/**
 * Returns the ranks of the sources: by the type, then by the priority of the provider. Names
 * without a priority follow in their alphabetical order, nulls last. Undefined if all rows have one source.
 *
 * @param order The rows to rank, in order; undefined for the rows of the table.
 */
export function sourceRanks(
  { columns }: Table,
  providers: readonly string[],
  order: Int32Array | undefined,
): SourceRanks | undefined {
  const { source_type: type, source_provider: provider } = columns
  if (type?.type !== 'text' || provider?.type !== 'text') return undefined
  const isSingle = ({ dictionary, codes }: typeof type) =>
    dictionary.length < 2 && (dictionary.length === 0 || !codes.includes(-1))
  if (isSingle(type) && isSingle(provider)) return undefined
  const inOrder = (codes: Int32Array) => order?.map((row) => present(codes[row])) ?? codes
  const ofType = rankCodes(type.dictionary, sourceTypes)
  const ofProviders = rankCodes(provider.dictionary, providers)
  // Types come first, so that each is worth more than all providers.
  const ofTypes = ofType.map((rank) => rank * ofProviders.length)
  return { types: inOrder(type.codes), providers: inOrder(provider.codes), ofTypes, ofProviders }
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
