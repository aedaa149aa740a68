import * as fc from 'fast-check'

const kinds = ['flip', 'set', 'insert', 'remove', 'repeat', 'cut', 'fill'] as const

/** A change of bytes, or of the characters of a text. */
export interface Change {
  kind: (typeof kinds)[number]
  /** Where, counted round and round: any number is a place. */
  at: number
  length: number
  value: number
}

/** A few changes, as a broken line or somebody with bad intentions would make them. */
export const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...kinds),
    at: fc.nat(),
    length: fc.integer({ min: 1, max: 64 }),
    value: fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.nat(255)),
  }),
  { minLength: 1, maxLength: 4 },
)

/** Bytes after the changes, one after the other. */
export function changedBytes(bytes: Uint8Array, made: readonly Change[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(made.reduce(changed, [...bytes]))
}

/** A text after the changes; a value is the code of a character. */
export function changedText(text: string, made: readonly Change[]): string {
  const codes = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
  return String.fromCharCode(...made.reduce(changed, codes))
}

function changed(items: number[], { kind, at: place, length, value }: Change): number[] {
  const at = items.length === 0 ? 0 : place % items.length
  const part = items.slice(at, at + length)
  if (kind === 'flip') return items.toSpliced(at, 1, (items[at] ?? 0) ^ (1 << (value & 7)))
  if (kind === 'set') return items.toSpliced(at, 1, value)
  if (kind === 'insert') return items.toSpliced(at, 0, value)
  if (kind === 'remove') return items.toSpliced(at, length)
  if (kind === 'repeat') return items.toSpliced(at, 0, ...part)
  if (kind === 'fill') return items.toSpliced(at, part.length, ...part.fill(value))
  return items.slice(0, at)
}
