import * as z from 'zod/mini'
import type { Open } from '../values/known-values.ts'

/** A zod schema whose value is T, on the wire as in TypeScript. */
export type Schema<T> = z.ZodMiniType<T, T>

/** Why a value that is accepted still is not what the specification tells. */
export type ToldKind = 'value' | 'format' | 'presence'

interface Told {
  kind: ToldKind
  schema: z.ZodMiniType
}

const told = new WeakMap<object, Told>()

/** What the specification tells of a value beyond what its schema insists on. */
export function toldOf(schema: z.ZodMiniType): Told | undefined {
  return told.get(schema)
}

/** Lets `accepted` remember what the specification tells; give it a schema of its own. */
function tolerant<T>(kind: ToldKind, accepted: z.ZodMiniType, schema: z.ZodMiniType): Schema<T> {
  told.set(accepted, { kind, schema })
  // The type states what the specification tells; the check accepts more, so that a new value never breaks a caller.
  return accepted as unknown as Schema<T>
}

/** A non-exhaustive enumeration: the known values are told, any string is accepted. */
export function openEnum<const Known extends string>(known: readonly Known[]): Schema<Open<Known>> {
  return tolerant('value', z.string(), z.enum(known))
}

/** A field whose presence the specification leaves open: types ask for it, the check accepts its absence. */
export function presumed<T>(schema: Schema<T>): Schema<T> {
  return tolerant('presence', z.nullish(schema), schema)
}

/** A field of an answer that may be absent or null. */
export function maybe<T extends z.ZodMiniType>(schema: T) {
  return z.optional(z.nullable(schema))
}

/** `uuid` in a request: checked. */
export const uuid = z.guid()
/** `date` (`YYYY-MM-DD`) in a request: checked. */
export const date = z.iso.date()
/** An integer of a request, bounds inclusive. */
export function integer(minimum: number, maximum: number = Number.MAX_SAFE_INTEGER) {
  return z.int().check(z.gte(minimum), z.lte(maximum))
}
/** Text of a request of at most `maximum` characters. */
export function text(maximum: number) {
  return z.string().check(z.maxLength(maximum))
}

const zones = ['CET', 'CST6CDT', 'EET', 'EST', 'EST5EDT', 'MET', 'MST', 'MST7MDT', 'PST8PDT', 'HST']
const ianaTimezonePattern = new RegExp(
  `^(?:[A-Z][A-Za-z_]+(?:/[A-Za-z0-9_+-]+){1,2}|Etc/[A-Za-z0-9+-]+|${zones.join('|')})$`,
)

/** Answers carry ids, dates and notes as plain strings; what the specification tells of them is told, not insisted on. */
export const answered = {
  uuid: tolerant<string>('format', z.string(), uuid),
  date: tolerant<string>('format', z.string(), date),
  dateTime: tolerant<string>('format', z.string(), z.iso.datetime({ offset: true, local: true })),
  ianaTimezone: tolerant<string>(
    'format',
    z.string(),
    z.string().check(z.regex(ianaTimezonePattern)),
  ),
  count: tolerant<number>('format', z.int(), integer(0)),
  text: (maximum: number) => tolerant<string>('format', z.string(), text(maximum)),
}
