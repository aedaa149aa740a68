import { present } from '../../src/shared/narrow.ts'
import { compareText } from './filter.ts'
import type { Table } from './table.ts'

/** The source types in order of preference (assumption). */
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
 * The source ranks of rows. The lowest rank is the best. A row's rank is `ofTypes[types[at] + 1]` plus
 * `ofProviders[providers[at] + 1]`. `keepBest` computes it inline, because a call per row is slower.
 */
export interface SourceRanks {
  /** The source type code of each row, or -1 for null. */
  types: Int32Array
  /** The provider code of each row, or -1 for null. */
  providers: Int32Array
  /** The rank of each source type, at the index `code + 1`. */
  ofTypes: Int32Array
  /** The rank of each provider, at the index `code + 1`. */
  ofProviders: Int32Array
}

/**
 * Ranks sources by type, then by provider priority. Names without a priority follow in alphabetical order, and null
 * comes last. Returns undefined if the table has no source columns or only one source.
 *
 * @param order The rows whose codes `types` and `providers` list, or undefined for all rows of the table.
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
  // Types take precedence, because their ranks are multiples of the number of provider ranks.
  const ofTypes = ofType.map((rank) => rank * ofProviders.length)
  return { types: inOrder(type.codes), providers: inOrder(provider.codes), ofTypes, ofProviders }
}

/** Returns the rank of each code in a text column, at index `code + 1`. Code -1 is null, which ranks last. */
function rankCodes(names: readonly string[], priority: readonly string[]): Int32Array {
  return Int32Array.from([names.length, ...rankNames(names, priority)])
}

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
