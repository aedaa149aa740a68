/** The filtered lists of some records, by filter. */
interface KnownLists {
  /** The lists of records from which they were made; another list means that a record changed. */
  sources: readonly (readonly unknown[])[]
  lists: Map<string, readonly unknown[]>
}

/** The most filters that are remembered at the same time. */
const maxFilters = 50

const known = new WeakMap<readonly unknown[], KnownLists>()

/**
 * Returns a filtered list, which is made once until one of the records changes, so that a walk through its pages does
 * not filter all records for each page.
 *
 * @param sources The lists of {@link Collection.records} that `make` reads.
 * @param filter The name of the list, which no other one has, and the parameters of its filter.
 */
export function filteredList<T>(
  sources: readonly [readonly unknown[], ...(readonly unknown[])[]],
  filter: { readonly list: string; readonly [parameter: string]: unknown },
  make: () => readonly T[],
): readonly T[] {
  const key = JSON.stringify(filter)
  const { lists } = knownLists(sources)
  // A list of the same filter has the same type.
  const list = (lists.get(key) as readonly T[] | undefined) ?? make()
  if (lists.size >= maxFilters) lists.clear()
  lists.set(key, list)
  return list
}

function knownLists(sources: readonly [readonly unknown[], ...(readonly unknown[])[]]): KnownLists {
  const found = known.get(sources[0])
  if (found?.sources.every((source, at) => source === sources[at])) return found
  const empty = { sources, lists: new Map() }
  known.set(sources[0], empty)
  return empty
}
