import * as z from 'zod/mini'
import { lenient, nullishString } from '../schema-tools/schema.ts'
import { Source } from '../source.ts'
import { fields } from './summary.ts'

/** The profile summary (specification 2.9). */
export interface ProfileSummary {
  /** The record's id. A later record with the same id replaces this one. */
  id?: string | null | undefined
  /** The record's day, `YYYY-MM-DD`. */
  date?: string | null | undefined
  /** The user's height, in centimeters (assumed unit). */
  height?: number | null | undefined
  /** The user's sex (assumption). */
  sex?: string | null | undefined
  /** The user's gender (assumption). */
  gender?: string | null | undefined
  /** The date of birth, `YYYY-MM-DD` (assumption). */
  birth_date?: string | null | undefined
  /** The data's provider and source type. */
  source: Source
  /** The user's id, a UUID. */
  user_id?: string | null | undefined
  /** When the service created the record, in ISO 8601 (assumption). */
  created_at?: string | null | undefined
  /** When the service last replaced the record, in ISO 8601 (assumption). */
  updated_at?: string | null | undefined
  /** Additional, unspecified fields. */
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
