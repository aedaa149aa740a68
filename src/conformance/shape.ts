import { assertThat, describeValue } from './assertions.ts'

/** What a value must be: a kind, such as `uuid` or `date-time | null`; a list of something; or an object's fields. */
export type Expected = string | readonly [Expected] | Shape

/** The fields of an object; a name that ends in `?` may be absent or null. Further fields are welcome. */
export interface Shape {
  [field: string]: Expected
}

const kinds: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  count: (value) => Number.isInteger(value) && Number(value) >= 0,
  object: isObject,
  array: Array.isArray,
  null: (value) => value === null,
  any: () => true,
  uuid: matches(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
  date: (value) => isDate(value),
  'date-time': (value) =>
    isText(value) && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value)),
  // Only Z, a zero offset or none at all is UTC.
  utc: (value) => isText(value) && /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]00:?00)?$/.test(value),
  zone: matches(
    /^(?:[A-Z]\w*(?:\/[\w+-]+){1,2}|Etc\/[\w+-]+|CET|CST6CDT|EET|EST|EST5EDT|MET|MST|MST7MDT|PST8PDT|HST)$/,
  ),
  url: (value) => isText(value) && URL.canParse(value),
  note: (value) => isText(value) && value.length <= 1000,
}

/** @throws {ExpectationError} unless the value is as expected; the message names the place. */
export function assertShape(value: unknown, expected: Expected, place: string): void {
  if (typeof expected === 'string') {
    const fits = expected.split(' | ').some((kind) => kinds[kind]?.(value))
    assertThat(
      fits,
      `Expected ${place} to be ${expected.replace(' | ', ' or ')}, found ${describeValue(value)}.`,
    )
    return
  }
  if (isList(expected)) {
    assertThat(
      Array.isArray(value),
      `Expected ${place} to be a list, found ${describeValue(value)}.`,
    )
    for (const [at, item] of value.entries()) assertShape(item, expected[0], `${place}[${at}]`)
    return
  }
  assertThat(isObject(value), `Expected ${place} to be an object, found ${describeValue(value)}.`)
  for (const [key, inner] of Object.entries(expected)) {
    const name = key.replace(/\?$/, '')
    const field = value[name]
    if (name !== key && (field === undefined || field === null)) continue
    assertThat(field !== undefined, `Expected ${place} to have ${name}.`)
    assertShape(field, inner, `${place}.${name}`)
  }
}

/** A field on the way through a value that has the shape. */
export function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isList(expected: Expected): expected is readonly [Expected] {
  return Array.isArray(expected)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isDate(value: unknown): boolean {
  if (!isText(value) || !/^\d{4}-\d\d-\d\d$/.test(value)) return false
  const moment = Date.parse(`${value}T00:00:00Z`)
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(value)
}

function matches(pattern: RegExp) {
  return (value: unknown) => isText(value) && pattern.test(value)
}
