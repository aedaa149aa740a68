import type { OrderResult } from '../../../src/contract/orders.ts'
import { ownValue } from '../../base/object.ts'

/** Values below the first number and above the second one endanger a life: labs report them at once. */
const limits: Readonly<Record<string, readonly [low: number, high: number]>> = {
  Glucose: [50, 450],
  'Urea Nitrogen': [0, 100],
  Creatinine: [0, 7.4],
  Sodium: [120, 160],
  Potassium: [2.8, 6.2],
  'Carbon Dioxide': [10, 40],
  Calcium: [6.6, 13],
  'Total Bilirubin': [0, 15],
  'White Blood Cell Count': [2, 37],
  Hemoglobin: [7, 20],
  'Platelet Count': [40, 999],
  Magnesium: [1, 4.7],
  Phosphorus: [1, 8.9],
  'International Normalized Ratio': [0, 5],
}

/** Returns the critical limits of an analyte; undefined without any. */
export function criticalLimitsOf(name: string): readonly [low: number, high: number] | undefined {
  return ownValue(limits, name)
}

/** Whether a result needs attention at once. */
export function isCritical({ name, result }: OrderResult): boolean {
  const bounds = criticalLimitsOf(name ?? '')
  const value = Number(result || Number.NaN)
  return bounds !== undefined && (value < bounds[0] || value > bounds[1])
}
