import * as z from 'zod/mini'
import { lenient, nullishString } from '../schema/schema.ts'
import { Source } from '../source.ts'
import { fields } from './summary.ts'

/** The profile summary (specification 2.9). */
export interface ProfileSummary {
  /** The id of the record. The same id later means the same record, updated. */
  id?: string | null | undefined
  /** The day of the record, `YYYY-MM-DD`. */
  date?: string | null | undefined
  /** The height of the user. Assumed unit: centimetres. */
  height?: number | null | undefined
  /** The sex of the user (assumption). */
  sex?: string | null | undefined
  /** The gender of the user (assumption). */
  gender?: string | null | undefined
  /** The date of birth, `YYYY-MM-DD` (assumption). */
  birth_date?: string | null | undefined
  /** The provider and device of the data. */
  source: Source
  /** The user, a UUID. */
  user_id?: string | null | undefined
  /** When the service created the record, ISO 8601 (assumption). */
  created_at?: string | null | undefined
  /** When the service last replaced the record, ISO 8601 (assumption). */
  updated_at?: string | null | undefined
  /** Further fields; the specification does not name them. */
  [field: string]: unknown
}
export const ProfileSummary = z.looseObject({
  id: nullishString,
  date: nullishString,
  height: z.nullish(z.number()),
  ...fields('text', ['created_at', 'updated_at', 'sex', 'gender', 'birth_date']),
  source: Source,
  user_id: z.nullish(lenient.uuid),
})
