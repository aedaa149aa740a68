import { ownValue } from '../../../src/shared/narrow.ts'
import type { AnalyteName } from '../../reference-data/analytes.ts'
import { roundTo } from '../numbers.ts'
import type { Donor } from './effects.ts'

/** Returns the value of another analyte in the same sample. */
type ValueOf = (name: AnalyteName) => number

export interface MeasuredResult {
  readonly value: number
  readonly decimals: number
}

type Formula = readonly [decimals: number, value: (of: ValueOf, donor: Donor) => number]

/** The analytes that labs compute from other values in the sample. */
const formulas: Partial<Record<AnalyteName, Formula>> = {
  'Estimated Glomerular Filtration Rate': [
    0,
    (of, donor) => filtrationRate(of('Creatinine'), donor),
  ],
  // Both tests measure the same substance.
  'C-Reactive Protein': [1, (of) => of('High Sensitivity C-Reactive Protein')],
  Globulin: [1, (of) => of('Total Protein') - of('Albumin')],
  'VLDL Cholesterol': [0, (of) => of('Triglycerides') / 5],
  'Total Cholesterol': [
    0,
    (of) => of('HDL Cholesterol') + of('LDL Cholesterol') + of('VLDL Cholesterol'),
  ],
  Hematocrit: [
    1,
    (of) => (100 * of('Hemoglobin')) / of('Mean Corpuscular Hemoglobin Concentration'),
  ],
  'Red Blood Cell Count': [2, (of) => (10 * of('Hematocrit')) / of('Mean Corpuscular Volume')],
  'Mean Corpuscular Hemoglobin': [1, (of) => (10 * of('Hemoglobin')) / of('Red Blood Cell Count')],
  'Absolute Neutrophils': [1, (of) => of('White Blood Cell Count') - otherWhiteCells(of)],
  'Iron Saturation': [0, (of) => (100 * of('Iron')) / of('Total Iron Binding Capacity')],
  Transferrin: [0, (of) => of('Total Iron Binding Capacity') * 0.7],
}

/** The maximum share of each white blood cell type. The rest are neutrophils. */
const whiteCellShares: Partial<Record<AnalyteName, number>> = {
  'Absolute Lymphocytes': 0.42,
  'Absolute Monocytes': 0.12,
  'Absolute Eosinophils': 0.06,
  'Absolute Basophils': 0.015,
}

/** Returns an analyte's upper limit in the sample, which is finite only for white blood cell types. */
export function mostOf(name: string, of: ValueOf): number {
  const share = ownValue(whiteCellShares, name)
  return share === undefined ? Number.POSITIVE_INFINITY : of('White Blood Cell Count') * share
}

/** Returns a value that labs compute from other values in the sample, or undefined for a measured analyte. */
export function derivedValue(name: string, of: ValueOf, donor: Donor): MeasuredResult | undefined {
  const [decimals, value] = ownValue(formulas, name) ?? []
  if (decimals === undefined || !value) return undefined
  return { value: roundTo(Math.max(0, value(of, donor)), decimals), decimals }
}

function otherWhiteCells(of: ValueOf): number {
  const names = ['Lymphocytes', 'Monocytes', 'Eosinophils', 'Basophils'] as const
  return names.reduce((sum, name) => sum + of(`Absolute ${name}`), 0)
}

/** Returns the estimated glomerular filtration rate (CKD-EPI 2021). */
function filtrationRate(creatinine: number, { sex, age }: Donor): number {
  const isFemale = sex === 'female'
  const part = creatinine / (isFemale ? 0.7 : 0.9)
  const low = Math.min(part, 1) ** (isFemale ? -0.241 : -0.302)
  return 142 * low * Math.max(part, 1) ** -1.2 * 0.9938 ** age * (isFemale ? 1.012 : 1)
}
