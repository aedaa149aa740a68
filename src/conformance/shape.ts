import { describeValue } from '../contract/schema-tools/describe-value.ts'
import { isObject, present, uuidPattern } from '../shared/narrow.ts'
import { assertThat } from './assertions.ts'

/**
 * A value's expected form: a kind such as `uuid` or `date-time | null`, an array whose items share a form, or an
 * object.
 */
export type Expected = string | readonly [Expected] | ObjectForm

/** The fields of an object. A field whose name ends in `?` may be missing or null; unknown fields are allowed. */
export interface ObjectForm {
  [field: string]: Expected
}

/** The name of each kind in messages, and a check for its values. */
const kinds: Record<string, readonly [name: string, matches: (value: unknown) => boolean]> = {
  string: ['a string', isString],
  text: ['a non-empty string', (value) => isString(value) && value !== ''],
  boolean: ['a boolean', (value) => typeof value === 'boolean'],
  number: ['a number', (value) => typeof value === 'number'],
  integer: ['an integer', Number.isInteger],
  count: ['a non-negative integer', (value) => Number.isInteger(value) && Number(value) >= 0],
  object: ['an object', isObject],
  array: ['an array', Array.isArray],
  null: ['null', (value) => value === null],
  any: ['any value', () => true],
  uuid: ['a UUID', matchString(uuidPattern)],
  date: ['a date', isDate],
  'date-time': [
    'a date-time',
    (value) =>
      isString(value) && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value)),
  ],
  // `Z`, a zero offset and no offset all mean UTC.
  utc: [
    'a UTC date-time',
    (value) =>
      isString(value) &&
      /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]00:?00)?$/.test(value) &&
      !Number.isNaN(Date.parse(value)),
  ],
  zone: [
    'an IANA time zone',
    matchString(
      /^(?:[A-Z]\w*(?:\/[\w+-]+){1,2}|Etc\/[\w+-]+|CET|CST6CDT|EET|EST|EST5EDT|MET|MST|MST7MDT|PST8PDT|HST)$/,
    ),
  ],
  url: ['a URL', (value) => isString(value) && URL.canParse(value)],
  note: ['a string of at most 1000 characters', (value) => isString(value) && value.length <= 1000],
}

export function assertShape(value: unknown, expected: Expected, path: string): void {
  if (typeof expected === 'string') {
    const allowed = expected.split(' | ').map((kind) => present(kinds[kind]))
    assertThat(
      allowed.some(([, matches]) => matches(value)),
      `Expected ${path} to be ${allowed.map(([name]) => name).join(' or ')}, found ${describeValue(value)}.`,
    )
    return
  }
  if (isArrayForm(expected)) {
    assertThat(
      Array.isArray(value),
      `Expected ${path} to be an array, found ${describeValue(value)}.`,
    )
    for (const [at, item] of value.entries()) assertShape(item, expected[0], `${path}[${at}]`)
    return
  }
  assertThat(isObject(value), `Expected ${path} to be an object, found ${describeValue(value)}.`)
  for (const [key, inner] of Object.entries(expected)) {
    const name = key.replace(/\?$/, '')
    const field = value[name]
    if (name !== key && (field === undefined || field === null)) continue
    assertThat(field !== undefined, `Expected ${path} to have ${name}, but found no such field.`)
    assertShape(field, inner, `${path}.${name}`)
  }
}

/** @param path Field names joined by dots, such as `data.source.slug`. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce(fieldOf, value)
}

export function requiredFields(form: ObjectForm): string[] {
  return Object.keys(form).filter((key) => !key.endsWith('?'))
}

/** Returns the value of a field, or undefined if the given value is not an object. */
export function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined
}

function isArrayForm(expected: Expected): expected is readonly [Expected] {
  return Array.isArray(expected)
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function isDate(value: unknown): boolean {
  if (!isString(value) || !/^\d{4}-\d\d-\d\d$/.test(value)) return false
  const moment = Date.parse(`${value}T00:00:00Z`)
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(value)
}

function matchString(pattern: RegExp) {
  return (value: unknown) => isString(value) && pattern.test(value)
}
