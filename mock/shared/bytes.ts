/** Returns whether a value is bytes, of this realm or another one: with jsdom in Jest, those of `TextEncoder` are of another one. */
export function isBytes(value: unknown): value is Uint8Array<ArrayBuffer> {
  return Object.prototype.toString.call(value) === '[object Uint8Array]'
}
