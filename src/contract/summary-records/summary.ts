import * as z from 'zod/mini'
import { tableOf } from '../../shared/narrow.ts'
import { assumed, lenient, nullishString } from '../schema-tools/schema.ts'
import { Source } from '../source.ts'

/** A summary of a user's health data (specification 2.9). Each resource adds its own fields. */
export interface Summary {
  /** The record's id. A later record with the same id replaces this one. */
  id?: string | null | undefined
  /** The user's id, a UUID. */
  user_id?: string | null | undefined
  /** The data's provider and source type. */
  source: Source
  /** The user's local date, `YYYY-MM-DD`; a night belongs to the day on which the user wakes up (assumption). */
  calendar_date?: string | null | undefined
  /** When the service created the record, in ISO 8601 (assumption). */
  created_at?: string | null | undefined
  /** When the service last replaced the record, in ISO 8601 (assumption). */
  updated_at?: string | null | undefined
  /** The resource's additional fields, which the specification does not define. */
  [field: string]: unknown
}

const assumedFields = {
  number: z.nullish(assumed(z.number())),
  text: z.nullish(assumed(z.string())),
}

export const commonSummaryFields = {
  id: nullishString,
  user_id: z.nullish(lenient.uuid),
  source: Source,
  calendar_date: z.nullish(lenient.date),
  created_at: assumedFields.text,
  updated_at: assumedFields.text,
}
export const Summary = z.looseObject(commonSummaryFields)

/**
 * Returns schemas for assumed fields. They accept any value, because the specification does not define the fields.
 * Times are strings without a format, because some generated validators reject offsets such as `+00:00`.
 */
export function fields<Kind extends keyof typeof assumedFields, const Name extends string>(
  kind: Kind,
  names: readonly Name[],
): Record<Name, (typeof assumedFields)[Kind]> {
  return tableOf(names, () => assumedFields[kind])
}

/** Returns a schema for an assumed object or array. Its check accepts any value. */
export function objectField<T>(schema: z.ZodMiniType<T, T>) {
  return z.nullish(assumed(schema))
}
