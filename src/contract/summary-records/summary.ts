import * as z from 'zod/mini'
import { tableOf } from '../../shared/narrow.ts'
import { assumed, lenient, nullishString } from '../schema/schema.ts'
import { Source } from '../source.ts'

/** A summary of a user's health data (specification 2.9); it also has the fields of its resource. */
export interface Summary {
  /** The id of the record. The same id later means the same record, updated. */
  id?: string | null | undefined
  /** The user, a UUID. */
  user_id?: string | null | undefined
  /** The provider and device of the data. */
  source: Source
  /** The user's local day, `YYYY-MM-DD`; a night belongs to the day of waking (assumption). */
  calendar_date?: string | null | undefined
  /** When the service created the record, ISO 8601 (assumption). */
  created_at?: string | null | undefined
  /** When the service last replaced the record, ISO 8601 (assumption). */
  updated_at?: string | null | undefined
  /** Further fields of the resource; the specification does not name them. */
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
 * Returns assumed fields of one kind. Their checks accept any value, because the specification does not name them. Times
 * are strings without a format: some generated validators reject offsets such as `+00:00`.
 */
export function fields<Kind extends keyof typeof assumedFields, const Name extends string>(
  kind: Kind,
  names: readonly Name[],
): Record<Name, (typeof assumedFields)[Kind]> {
  return tableOf(names, () => assumedFields[kind])
}

/** Returns an assumed field with an object, whose check accepts any value. */
export function objectField<T>(schema: z.ZodMiniType<T, T>) {
  return z.nullish(assumed(schema))
}
