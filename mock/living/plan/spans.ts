/** A range of time: the first moment, and the moment after the last one. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Returns what is left of spans without the taken ones, which may be in any order and overlap. */
export function without(spans: readonly Span[], taken: readonly Span[]): readonly Span[] {
  let free = spans
  for (const { start, end } of taken) {
    const left: Span[] = []
    for (const span of free) {
      if (span.start < start) left.push({ start: span.start, end: Math.min(span.end, start) })
      if (span.end > end) left.push({ start: Math.max(span.start, end), end: span.end })
    }
    free = left
  }
  return free
}

/** Returns a span of a length in the free ones that starts as near as possible to a moment; undefined without space. */
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
