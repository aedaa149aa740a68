import * as fc from 'fast-check'

const kinds = ['flip', 'set', 'insert', 'remove', 'repeat', 'cut', 'fill'] as const

/** A change of bytes, or of the UTF-16 code units of a string. */
export interface Change {
  kind: (typeof kinds)[number]
  /** The index, modulo the length. */
  at: number
  /** The number of items that the change affects. */
  length: number
  /** The new value, or the bit to flip. */
  value: number
}

/** One to four changes, as made by a broken connection or an attacker. */
export const someChanges: fc.Arbitrary<Change[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...kinds),
    at: fc.nat(),
    length: fc.integer({ min: 1, max: 64 }),
    value: fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.nat(255)),
  }),
  { minLength: 1, maxLength: 4 },
)

export function changeBytes(
  bytes: Uint8Array,
  changes: readonly Change[],
): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(changes.reduce(applyChange, [...bytes]))
}

export function changeString(text: string, changes: readonly Change[]): string {
  const codes = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
  return String.fromCharCode(...changes.reduce(applyChange, codes))
}

function applyChange(items: number[], change: Change): number[] {
  const { kind, length, value } = change
  const at = items.length === 0 ? 0 : change.at % items.length
  const part = items.slice(at, at + length)
  if (kind === 'flip') return items.toSpliced(at, 1, (items[at] ?? 0) ^ (1 << (value & 7)))
  if (kind === 'set') return items.toSpliced(at, 1, value)
  if (kind === 'insert') return items.toSpliced(at, 0, value)
  if (kind === 'remove') return items.toSpliced(at, length)
  if (kind === 'repeat') return items.toSpliced(at, 0, ...part)
  if (kind === 'fill') return items.toSpliced(at, part.length, ...part.fill(value))
  return items.slice(0, at)
}
