/**
 * Returns a function that handles items in batches: all of one turn of the event loop, at its end. Waking a client costs
 * as much as handling one item, so that one wake-up serves the whole batch.
 */
export function batch<T>(handle: (item: T) => void): (item: T) => void {
  let items: T[] = []
  const run = () => {
    const current = items
    items = []
    for (const item of current) handle(item)
  }
  return (item) => {
    items.push(item)
    if (items.length === 1) setImmediate(run)
  }
}
