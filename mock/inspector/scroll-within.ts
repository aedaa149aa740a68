/**
 * Scrolls a container until an element in it is visible. `scrollIntoView` would also move the starting point of Tab
 * navigation.
 *
 * @param margin The space around the element that must also be visible, in pixels.
 */
export function scrollWithin(container: Element, element: Element, margin = 0): void {
  const [inner, outer] = [element.getBoundingClientRect(), container.getBoundingClientRect()]
  container.scrollBy({
    left: distance(inner.left - margin, inner.right + margin, outer.left, outer.right),
    top: distance(inner.top - margin, inner.bottom + margin, outer.top, outer.bottom),
  })
}

/** Returns how far a span extends beyond the outer span. The result is negative if it extends beyond the start. */
function distance(start: number, end: number, outerStart: number, outerEnd: number): number {
  if (start < outerStart) return start - outerStart
  // If the span is longer than the outer span, its start stays visible.
  return Math.max(0, Math.min(end - outerEnd, start - outerStart))
}
