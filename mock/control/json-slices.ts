import { Slices } from '../time/slices.ts'

/** The microseconds that a character takes; the bodies of events are created while they are written. */
const characterWork = 0.2

/** How many levels of lists and objects are written item by item: the records of a snapshot are on the last of them. */
const slicedLevels = 3

type Replacer = (key: string, value: unknown) => unknown

/** Returns the same JSON as `JSON.stringify`, but writes long lists in slices. The value must not change meanwhile. */
export async function stringifyInSlices(
  value: unknown,
  replacer: Replacer = (_, item) => item,
): Promise<string> {
  const slices = new Slices()
  return (await write(value, 0)) ?? ''

  async function write(item: unknown, level: number): Promise<string | undefined> {
    const found = level < slicedLevels && !hasOwnJson(item) ? replacer('', item) : undefined
    if (Array.isArray(found)) return `[${(await writeList(found, level)).join()}]`
    if (typeof found === 'object' && found !== null) return `{${await writeFields(found, level)}}`
    // Nothing is written of a function.
    const json: string | undefined = JSON.stringify(item, replacer)
    const pause = slices.spend((json?.length ?? 0) * characterWork)
    if (pause) await pause
    return json
  }

  async function writeList(items: readonly unknown[], level: number): Promise<string[]> {
    const parts: string[] = []
    for (const item of items) parts.push((await write(item, level + 1)) ?? 'null')
    return parts
  }

  async function writeFields(fields: object, level: number): Promise<string> {
    const parts: string[] = []
    for (const [name, field] of Object.entries(fields)) {
      const json = await write(field, level + 1)
      if (json !== undefined) parts.push(`${JSON.stringify(name)}:${json}`)
    }
    return parts.join()
  }
}

/** Whether a value, such as a date, is written in its own way. */
function hasOwnJson(value: unknown): boolean {
  return typeof Object(value).toJSON === 'function'
}
