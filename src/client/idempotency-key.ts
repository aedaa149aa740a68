/**
 * Returns the idempotency key for one of your orders, to pass to `orders.create`. The same id yields the same key in
 * every process.
 *
 * @param orderId Your own id for the order, without personal data. Use a new id for a corrected order, because the
 * service returns its first response, even a failure, for 24 hours (assumption).
 * @throws {TypeError} when the id is not a string, is empty, contains a lone surrogate, or is too long for a key of 255
 * characters.
 * @example
 * idempotencyKeyOf('basket 17') // 'order-basket%2017'
 */
export function idempotencyKeyOf(orderId: string): string {
  const isUsable = typeof orderId === 'string' && orderId !== '' && orderId.isWellFormed()
  const key = isUsable ? `order-${encodeURIComponent(orderId)}` : ''
  if (key !== '' && key.length <= 255) return key
  throw new TypeError(
    'Cannot derive an idempotency key from this id. Pass a valid Unicode string of 1 to 249 URL-encoded characters.',
  )
}
