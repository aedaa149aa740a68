import { Slices } from '../shared/slices.ts'

/** The estimated time to write one character, including the creation of event bodies, in microseconds. */
const characterWork = 0.2

/**
 * The number of nesting levels that are written item by item. In a snapshot, the last of these levels contains the
 * lists of records.
 */
const slicedLevels = 3

type Replacer = (key: string, value: unknown) => unknown

/**
 * Returns the same JSON as `JSON.stringify`, in UTF-8, but writes long lists in slices. The value must not change while
 * it is being written.
 */
export async function stringifyInSlices(
  value: unknown,
  replacer: Replacer = (_, item) => item,
): Promise<Buffer> {
  const slices = new Slices()
  const pieces: Buffer[] = []
  let last = ''
  await write(value, '', 0)
  return Buffer.concat([...pieces, Buffer.from(last)])

  /** Writes `before` and a value. Writes nothing and returns false for a value that JSON omits, such as a function. */
  async function write(item: unknown, before: string, level: number): Promise<boolean> {
    const found = level < slicedLevels && !hasOwnJson(item) ? replacer('', item) : undefined
    if (Array.isArray(found)) return writeList(found, before, level)
    if (typeof found === 'object' && found !== null) return writeFields(found, before, level)
    const json: string | undefined = JSON.stringify(item, replacer)
    if (json === undefined) return false
    last += before + json
    const pause = slices.spend(json.length * characterWork)
    if (!pause) return true
    pieces.push(Buffer.from(last))
    last = ''
    await pause
    return true
  }

  async function writeList(items: readonly unknown[], before: string, level: number) {
    last += `${before}[`
    for (const [index, item] of items.entries()) {
      const comma = index === 0 ? '' : ','
      if (!(await write(item, comma, level + 1))) last += `${comma}null`
    }
    last += ']'
    return true
  }

  async function writeFields(fields: object, before: string, level: number) {
    last += `${before}{`
    let comma = ''
    for (const [name, field] of Object.entries(fields)) {
      if (await write(field, `${comma}${JSON.stringify(name)}:`, level + 1)) comma = ','
    }
    last += '}'
    return true
  }
}

function hasOwnJson(value: unknown): boolean {
  return typeof Object(value).toJSON === 'function'
}
