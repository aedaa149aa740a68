/** Returns the first of `length` indexes from which on `isAfter` is true; `length` if it is never true. */
export function firstIndex(length: number, isAfter: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isAfter(middle)) high = middle
    else low = middle + 1
  }
  return low
}
