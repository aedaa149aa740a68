/** A range of time: the first moment, and the moment after the last one. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Returns what is left of a span without the taken ones, which may be in any order and overlap. */
export function freeSpans({ start, end }: Span, taken: readonly Span[]): Span[] {
  const free: Span[] = []
  let from = start
  for (const span of taken.toSorted((a, b) => a.start - b.start)) {
    if (span.start > from) free.push({ start: from, end: Math.min(span.start, end) })
    from = Math.max(from, span.end)
    if (from >= end) return free
  }
  return [...free, { start: from, end }]
}

/** Returns a span of a length in the free ones that starts as near as possible to a moment; undefined without room. */
export function placeNear(wanted: number, length: number, free: readonly Span[]): Span | undefined {
  let best: Span | undefined
  for (const { start, end } of free) {
    if (end - start < length) continue
    const at = Math.min(Math.max(wanted, start), end - length)
    if (!best || Math.abs(at - wanted) < Math.abs(best.start - wanted)) {
      best = { start: at, end: at + length }
    }
  }
  return best
}

/** Returns a span that is longer on both sides. */
export function widen({ start, end }: Span, before: number, after = before): Span {
  return { start: start - before, end: end + after }
}
