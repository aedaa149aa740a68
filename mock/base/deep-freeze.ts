/** Freezes plain values deeply, in place. An object that cannot be extended is frozen already, or has a lazy field. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && Object.isExtensible(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) deepFreeze(inner)
  }
  return value
}
