import { invalidFileError } from '../archive/errors.ts'

export interface ThriftBounds {
  /** The maximum number of fields and list elements, across all depths. */
  values: number
  /** The maximum nesting depth of structures and lists. */
  depth: number
}

/**
 * Checks a structure in Thrift's compact protocol, and returns the offset after it. Check each structure before
 * decoding, because the decoder trusts the declared lengths of lists and reads varints of any length.
 *
 * @throws {ParquetError} when the structure is invalid or truncated, or exceeds a bound.
 */
export function checkThrift(bytes: Uint8Array, start: number, bounds: ThriftBounds): number {
  const checker = new StructureChecker(bytes, start, bounds)
  checker.struct(1)
  return checker.offset
}

/** The compact protocol types that Parquet uses. */
const thriftTypes = {
  stop: 0,
  true: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  struct: 12,
} as const

/** The maximum varint sizes in bytes. Each byte holds 7 bits of the number. */
const varintBytes = { of32Bits: 5, of64Bits: 10 }

class StructureChecker {
  offset: number
  readonly #bytes: Uint8Array
  readonly #bounds: ThriftBounds
  #values = 0

  constructor(bytes: Uint8Array, start: number, bounds: ThriftBounds) {
    this.#bytes = bytes
    this.offset = start
    this.#bounds = bounds
  }

  struct(depth: number): void {
    if (depth > this.#bounds.depth) throw invalidFileError('metadata is nested too deeply')
    for (;;) {
      const head = this.#byte()
      const type = head & 0x0f
      if (type === thriftTypes.stop) return
      // If the delta to the previous field number is 0, the field number itself follows.
      if (head >> 4 === 0) this.#varint(varintBytes.of32Bits)
      if (type === thriftTypes.true || type === thriftTypes.false) this.#count()
      else this.#value(type, depth)
    }
  }

  #value(type: number, depth: number): void {
    this.#count()
    if (type === thriftTypes.list) this.#list(depth + 1)
    else if (type === thriftTypes.struct) this.struct(depth + 1)
    else this.#skip(this.#lengthOf(type))
  }

  /** Reads a value's varint, if it has one, and returns the number of bytes that follow. */
  #lengthOf(type: number): number {
    switch (type) {
      case thriftTypes.true:
      case thriftTypes.false:
      case thriftTypes.byte:
        return 1
      case thriftTypes.double:
        return 8
      case thriftTypes.binary:
        return this.#varint(varintBytes.of32Bits)
      case thriftTypes.i16:
      case thriftTypes.i32:
        this.#varint(varintBytes.of32Bits)
        return 0
      case thriftTypes.i64:
        this.#varint(varintBytes.of64Bits)
        return 0
      default:
        throw invalidFileError('metadata has a value of an unknown type')
    }
  }

  #list(depth: number): void {
    if (depth > this.#bounds.depth) throw invalidFileError('metadata is nested too deeply')
    const head = this.#byte()
    const short = head >> 4
    const size = short === 15 ? this.#varint(varintBytes.of32Bits) : short
    // Every element takes at least one byte.
    if (size > this.#left)
      throw invalidFileError('metadata has a list that exceeds the remaining bytes')
    for (let at = 0; at < size; at += 1) this.#value(head & 0x0f, depth)
  }

  get #left(): number {
    return this.#bytes.length - this.offset
  }

  #count(): void {
    this.#values += 1
    if (this.#values > this.#bounds.values) throw invalidFileError('metadata has too many values')
  }

  #byte(): number {
    const byte = this.#bytes[this.offset]
    if (byte === undefined) throw invalidFileError('metadata is truncated')
    this.offset += 1
    return byte
  }

  #skip(length: number): void {
    if (length > this.#left)
      throw invalidFileError('metadata has a value that exceeds the remaining bytes')
    this.offset += length
  }

  /** Reads a varint. The result is exact up to 53 bits. Callers skip over larger values and do not use them. */
  #varint(longest: number): number {
    let value = 0
    for (let at = 0; at < longest; at += 1) {
      const byte = this.#byte()
      value += (byte & 0x7f) * 2 ** (7 * at)
      if (byte < 0x80) return value
    }
    throw invalidFileError('metadata has a varint that is too long')
  }
}
