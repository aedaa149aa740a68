import * as z from 'zod/mini'
import { commonSummaryFields, fields, type Summary } from './summary.ts'

/** A body measurement (specification 2.9; fields and units assumed). */
export interface BodySummary extends Summary {
  /** @deprecated Midnight on `calendar_date`, such as `2025-05-31T00:00:00+00:00`. Use `calendar_date`. */
  date?: string | null | undefined
  /** The weight, in kilograms. */
  weight?: number | null | undefined
  /** The body fat percentage. */
  fat?: number | null | undefined
  /** The water percentage. */
  water_percentage?: number | null | undefined
  /** The muscle mass percentage. */
  muscle_mass_percentage?: number | null | undefined
  /** The visceral fat index. */
  visceral_fat_index?: number | null | undefined
  /** The bone mass percentage. */
  bone_mass_percentage?: number | null | undefined
  /** The body mass index, in kilograms per square meter. */
  body_mass_index?: number | null | undefined
  /** The lean body mass, in kilograms. */
  lean_body_mass_kilogram?: number | null | undefined
  /** The waist circumference, in centimeters. */
  waist_circumference_centimeter?: number | null | undefined
}
export const BodySummary = z.looseObject({
  ...commonSummaryFields,
  ...fields('text', ['date']),
  ...fields('number', [
    'weight',
    'fat',
    'water_percentage',
    'muscle_mass_percentage',
    'visceral_fat_index',
    'bone_mass_percentage',
    'body_mass_index',
    'lean_body_mass_kilogram',
    'waist_circumference_centimeter',
  ]),
})
