import * as z from 'zod/mini'
import { commonSummaryFields, fields, objectField, type Summary } from './summary.ts'

/** A meal's energy (fields assumed). */
export interface MealEnergy {
  /** The unit of `value`, such as `kcal`. */
  unit?: string | null | undefined
  /** The amount of energy, in `unit`. */
  value?: number | null | undefined
  /** Additional, unspecified fields. */
  [field: string]: unknown
}
export const MealEnergy = z.looseObject({
  ...fields('text', ['unit']),
  ...fields('number', ['value']),
})

/** A meal's fats, in grams (fields and unit assumed). */
export interface MealFats {
  /** Saturated fats. */
  saturated?: number | null | undefined
  /** Monounsaturated fats. */
  monounsaturated?: number | null | undefined
  /** Polyunsaturated fats. */
  polyunsaturated?: number | null | undefined
  /** Omega-3 fats. */
  omega3?: number | null | undefined
  /** Omega-6 fats. */
  omega6?: number | null | undefined
  /** Total fats. */
  total?: number | null | undefined
  /** Additional, unspecified fields. */
  [field: string]: unknown
}
export const MealFats = z.looseObject(
  fields('number', [
    'saturated',
    'monounsaturated',
    'polyunsaturated',
    'omega3',
    'omega6',
    'total',
  ]),
)

/** A meal's macronutrients, in grams (fields and unit assumed). */
export interface MealMacros {
  /** Carbohydrates. */
  carbs?: number | null | undefined
  /** Protein. */
  protein?: number | null | undefined
  /** Alcohol. */
  alcohol?: number | null | undefined
  /** Water. */
  water?: number | null | undefined
  /** Dietary fibre. */
  fibre?: number | null | undefined
  /** Sugar. */
  sugar?: number | null | undefined
  /** Cholesterol. */
  cholesterol?: number | null | undefined
  /** The fats. */
  fats?: MealFats | null | undefined
  /** Additional, unspecified fields. */
  [field: string]: unknown
}
export const MealMacros = z.looseObject({
  ...fields('number', ['carbs', 'protein', 'alcohol', 'water', 'fibre', 'sugar', 'cholesterol']),
  fats: objectField(MealFats),
})

/** Nutrient amounts, keyed by name. */
export type Nutrients = Record<string, number | null>

/** A meal's micronutrients (fields assumed; units unspecified). */
export interface MealMicros {
  /** Minerals, such as calcium. */
  minerals?: Nutrients | null | undefined
  /** Trace elements, such as iron. */
  trace_elements?: Nutrients | null | undefined
  /** Vitamins. */
  vitamins?: Nutrients | null | undefined
  /** Additional, unspecified fields. */
  [field: string]: unknown
}
const nutrients = () => objectField(z.record(z.string(), z.nullable(z.number())))
export const MealMicros = z.looseObject({
  minerals: nutrients(),
  trace_elements: nutrients(),
  vitamins: nutrients(),
})

/** A meal (specification 2.9; fields and units assumed). */
export interface MealSummary extends Summary {
  /** The time of the meal, in UTC (ISO 8601). */
  timestamp?: string | null | undefined
  /** The meal's name. */
  name?: string | null | undefined
  /** The source's rank among the user's sources. */
  priority_id?: number | null | undefined
  /** The source's numeric id. */
  source_id?: number | null | undefined
  /** The provider's id for the meal. */
  provider_id?: string | null | undefined
  /** The energy. */
  energy?: MealEnergy | null | undefined
  /** The macronutrients. */
  macros?: MealMacros | null | undefined
  /** The micronutrients. */
  micros?: MealMicros | null | undefined
}
export const MealSummary = z.looseObject({
  ...commonSummaryFields,
  ...fields('text', ['timestamp', 'name', 'provider_id']),
  ...fields('number', ['priority_id', 'source_id']),
  energy: objectField(MealEnergy),
  macros: objectField(MealMacros),
  micros: objectField(MealMicros),
})
