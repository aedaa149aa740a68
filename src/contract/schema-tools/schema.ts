import * as z from 'zod/mini'
import type { Open } from '../values/known-values.ts'

export type AnySchema = z.ZodMiniType

/** A zod schema whose value has the same type on the wire and in TypeScript. */
export type Schema<T> = z.ZodMiniType<T, T>

/** The requirement that a strict form adds: a known value, a valid format, or the presence of the field. */
export type Strictness = 'value' | 'format' | 'required'

/** A schema's strict form, which accepts only what the specification allows. */
export interface StrictForm {
  kind: Strictness
  schema: z.ZodMiniType
}

const strictForms = new WeakMap<object, StrictForm>()

/** Returns a lenient schema's strict form, or undefined for any other schema. */
export function strictFormOf(schema: z.ZodMiniType): StrictForm | undefined {
  return strictForms.get(schema)
}

/** Registers the strict form of `accepted`. Pass a new schema, because each schema has only one strict form. */
function withStrictForm<T>(
  accepted: z.ZodMiniType,
  kind: Strictness,
  schema: z.ZodMiniType,
): Schema<T> {
  strictForms.set(accepted, { kind, schema })
  // The type follows the specification. The check also accepts other values, so new values do not break callers.
  return accepted as unknown as Schema<T>
}

/** Creates a non-exhaustive enumeration: the type lists the known values, but the check accepts any string. */
export function openEnum<const Known extends string>(known: readonly Known[]): Schema<Open<Known>> {
  return withStrictForm(z.string(), 'value', z.enum(known))
}

/** Creates a schema for a field that the type requires but the specification and the check do not. */
export function assumeRequired<T>(schema: Schema<T>): Schema<T> {
  return withStrictForm(z.nullish(schema), 'required', schema)
}

/**
 * Fields share these schemas, because a separate schema for each field would slow down every program's startup.
 */
export const nullishString = z.nullish(z.string())
export const requiredString = assumeRequired(z.string())

/** Creates a schema for an assumed response field: it has a type, but the check accepts any value. */
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
/** An e-mail address in a request: a mailbox as defined by RFC 5321, like JSON Schema's `email` format. */
export const email = z.email({ pattern: mailbox })

export const uuid = z.guid()
export const date = z.iso.date()
const dateTime = z.iso.datetime({ offset: true, local: true })
/** The bounds are inclusive. */
export function integer(minimum: number, maximum: number = Number.MAX_SAFE_INTEGER) {
  return z.int().check(z.gte(minimum), z.lte(maximum))
}
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
 * Schemas for values in responses and for assumed values in requests. They check only the type. Drift reports and the
 * mock's request validation use the strict forms.
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
