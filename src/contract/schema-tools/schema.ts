import * as z from 'zod/mini'
import type { Open } from '../values/known-values.ts'

/** A zod schema of any value. */
export type AnySchema = z.ZodMiniType

/** A zod schema whose value has the same type on the wire and in TypeScript. */
export type Schema<T> = z.ZodMiniType<T, T>

/** What the strict form of a lenient schema enforces: the known values, the format, or that the field is present. */
export type Strictness = 'value' | 'format' | 'required'

/** What a schema would accept if it accepted only what the specification allows. */
export interface StrictForm {
  kind: Strictness
  schema: z.ZodMiniType
}

const strictForms = new WeakMap<object, StrictForm>()

/** Returns the strict form of a schema that accepts more than the specification; undefined for any other schema. */
export function strictFormOf(schema: z.ZodMiniType): StrictForm | undefined {
  return strictForms.get(schema)
}

/** Attaches the strict form to a lenient schema, which must not be used elsewhere. */
function withStrictForm<T>(
  accepted: z.ZodMiniType,
  kind: Strictness,
  schema: z.ZodMiniType,
): Schema<T> {
  strictForms.set(accepted, { kind, schema })
  // The type states what the specification says; the check accepts more, so that a new value never breaks a caller.
  return accepted as unknown as Schema<T>
}

/** A non-exhaustive enumeration: its type lists the known values, but its check accepts any string. */
export function openEnum<const Known extends string>(known: readonly Known[]): Schema<Open<Known>> {
  return withStrictForm(z.string(), 'value', z.enum(known))
}

/** A field that the specification does not mark as required: its type requires it, but its check does not. */
export function assumeRequired<T>(schema: Schema<T>): Schema<T> {
  return withStrictForm(z.nullish(schema), 'required', schema)
}

/** Fields of many records share these schemas: creating one for each field would delay the start of every program. */
export const nullishString = z.nullish(z.string())
export const requiredString = assumeRequired(z.string())

/** A response field that is our assumption: its type states the assumption, but its check accepts any value. */
export function assumed<T>(schema: Schema<T>): Schema<T> {
  return withStrictForm(z.unknown(), 'format', schema)
}

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const quotedString = '"(?:[ !#-\\[\\]-~]|\\\\[ -~])*"'
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?'
const addressLiteral = '\\[(?:\\d{1,3}(?:\\.\\d{1,3}){3}|[A-Za-z0-9-]*[A-Za-z0-9]:[!-Z^-~]+)\\]'
const mailbox = new RegExp(
  `^(?:${atom}(?:\\.${atom})*|${quotedString})@(?:${label}(?:\\.${label})*|${addressLiteral})$`,
)
/** An e-mail address in a request: a mailbox of RFC 5321, as the format `email` of JSON Schema means it. */
export const email = z.email({ pattern: mailbox })

/** A UUID in a request. */
export const uuid = z.guid()
/** A date in a request, `YYYY-MM-DD`. */
export const date = z.iso.date()
const dateTime = z.iso.datetime({ offset: true, local: true })
/** An integer in a request, bounds inclusive. */
export function integer(minimum: number, maximum: number = Number.MAX_SAFE_INTEGER) {
  return z.int().check(z.gte(minimum), z.lte(maximum))
}
/** A string in a request, of at most `maximum` characters. */
export function shortString(maximum: number) {
  return z.string().check(z.maxLength(maximum))
}

const zones = ['CET', 'CST6CDT', 'EET', 'EST', 'EST5EDT', 'MET', 'MST', 'MST7MDT', 'PST8PDT', 'HST']
const ianaTimezonePattern = new RegExp(
  `^(?:[A-Z][A-Za-z_]+(?:/[A-Za-z0-9_+-]+){1,2}|Etc/[A-Za-z0-9+-]+|${zones.join('|')})$`,
)
const ianaTimezone = z.string().check(z.regex(ianaTimezonePattern, 'an IANA time zone'))

function lenientString(strict: z.ZodMiniType): Schema<string> {
  return withStrictForm(z.string(), 'format', strict)
}

/**
 * Values in responses, and assumed values in requests. Their checks accept any string or integer. The strict form is for
 * drift reports, and for the mock's requests.
 */
export const lenient = {
  uuid: lenientString(uuid),
  date: lenientString(date),
  dateTime: lenientString(dateTime),
  dateOrDateTime: lenientString(z.union([date, dateTime])),
  ianaTimezone: lenientString(ianaTimezone),
  positive: withStrictForm<number>(z.int(), 'format', integer(1)),
  count: withStrictForm<number>(z.int(), 'format', integer(0)),
  shortString: (maximum: number) => lenientString(shortString(maximum)),
}
