/** A time range: `start` is inclusive, and `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Returns the parts of `spans` that `taken` does not cover. The taken spans can overlap and need not be sorted. */
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

/**
 * Returns a span of the given length in the free spans, as close as possible to the preferred start, or undefined if
 * none fits.
 */
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

export function widen({ start, end }: Span, before: number, after = before): Span {
  return { start: start - before, end: end + after }
}
