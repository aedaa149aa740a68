/**
 * Returns the idempotency key of one of your own orders, for `orders.create`. The same id gives the same key in every process.
 *
 * @param orderId Your own id of the order, with no personal data in it. A corrected order needs another id: the service
 * returns its first response for 24 hours, also a failure (assumption).
 * @throws {TypeError} when the id is not a string, is empty, has half of a surrogate pair, or is too long for a key of 255
 * characters.
 * @example
 * idempotencyKeyOf('basket 17') // 'order-basket%2017'
 */
export function idempotencyKeyOf(orderId: string): string {
  const isUsable = typeof orderId === 'string' && orderId !== '' && orderId.isWellFormed()
  const key = isUsable ? `order-${encodeURIComponent(orderId)}` : ''
  if (key !== '' && key.length <= 255) return key
  throw new TypeError(
    'No idempotency key can be made of this id. Pass your own id of the order: a string of valid Unicode that is not empty and has at most 249 escaped characters.',
  )
}
