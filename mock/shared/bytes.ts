/** Returns whether a value is bytes from any realm. With jsdom in Jest, `TextEncoder` returns bytes from another realm. */
export function isBytes(value: unknown): value is Uint8Array<ArrayBuffer> {
  return Object.prototype.toString.call(value) === '[object Uint8Array]'
}
