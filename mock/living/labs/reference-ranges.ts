import type { OrderResult } from '../../../src/contract/orders.ts'
import { ownValue } from '../../../src/shared/narrow.ts'
import type { AnalyteName } from '../../reference-data/analytes.ts'

/** The usual range for adults, the number of decimal places, and the range for men if it differs. */
type Row = readonly [
  low: number,
  high: number,
  decimals: number,
  male?: readonly [low: number, high: number],
]

/** An analyte without a range has a textual result or is computed from other analytes. */
const ranges = {
  Glucose: [70, 99, 0],
  'Urea Nitrogen': [7, 20, 0],
  Creatinine: [0.5, 1.1, 2, [0.7, 1.3]],
  Sodium: [136, 145, 0],
  Potassium: [3.5, 5, 1],
  Chloride: [98, 106, 0],
  'Carbon Dioxide': [23, 30, 0],
  Calcium: [8.6, 10.2, 1],
  'Total Protein': [6, 8, 1],
  Albumin: [3.6, 5, 1],
  'Total Bilirubin': [0.3, 1.1, 1],
  'Direct Bilirubin': [0.1, 0.3, 1],
  'Alkaline Phosphatase': [36, 115, 0],
  'Aspartate Aminotransferase': [10, 34, 0],
  'Alanine Aminotransferase': [8, 34, 0, [10, 44]],
  'Gamma Glutamyl Transferase': [7, 36, 0, [10, 55]],
  'Lactate Dehydrogenase': [120, 220, 0],
  Triglycerides: [45, 150, 0],
  'HDL Cholesterol': [46, 80, 0, [38, 68]],
  'LDL Cholesterol': [60, 130, 0],
  'Apolipoprotein B': [50, 105, 0],
  'Apolipoprotein A-1': [115, 190, 0, [105, 170]],
  'Lipoprotein (a)': [3, 30, 0],
  'White Blood Cell Count': [4.2, 10.5, 1],
  Hemoglobin: [12, 15.6, 1, [13.8, 17.2]],
  'Mean Corpuscular Volume': [81, 98, 1],
  'Mean Corpuscular Hemoglobin Concentration': [32, 36, 1],
  'Red Cell Distribution Width': [11.6, 14.6, 1],
  'Platelet Count': [155, 400, 0],
  'Absolute Lymphocytes': [1, 3.2, 1],
  'Absolute Monocytes': [0.2, 0.8, 1],
  'Absolute Eosinophils': [0, 0.4, 1],
  'Absolute Basophils': [0, 0.1, 1],
  'Thyroid Stimulating Hormone': [0.5, 4.2, 2],
  'Free T4': [0.8, 1.7, 2],
  'Free T3': [2.3, 4.2, 1],
  'Total T4': [5, 11.5, 1],
  'Total T3': [80, 180, 0],
  'Thyroid Peroxidase Antibodies': [4, 30, 0],
  'Total Testosterone': [10, 48, 0, [280, 900]],
  'Free Testosterone': [0.5, 6, 1, [50, 180]],
  Estradiol: [25, 300, 0, [12, 40]],
  Progesterone: [0.2, 18, 1, [0.1, 0.6]],
  'Follicle Stimulating Hormone': [2.5, 10, 1, [1.5, 10]],
  'Luteinizing Hormone': [2, 12, 1, [1.6, 8]],
  Prolactin: [4, 23, 1, [3, 15]],
  Cortisol: [6, 19, 1],
  'DHEA Sulfate': [40, 280, 0, [80, 440]],
  'Sex Hormone Binding Globulin': [25, 120, 0, [14, 60]],
  Insulin: [3, 20, 1],
  'Insulin-Like Growth Factor 1': [85, 250, 0],
  'Prostate Specific Antigen': [0, 0.1, 2, [0.2, 3.5]],
  'Anti-Mullerian Hormone': [0.6, 5.5, 2, [2, 12]],
  'Vitamin D, 25-Hydroxy': [22, 60, 0],
  'Vitamin B12': [230, 900, 0],
  Folate: [4, 19, 1],
  Ferritin: [15, 150, 0, [30, 300]],
  Iron: [45, 160, 0, [60, 170]],
  'Total Iron Binding Capacity': [255, 420, 0],
  Magnesium: [1.7, 2.3, 1],
  Phosphorus: [2.6, 4.5, 1],
  Zinc: [62, 115, 0],
  Homocysteine: [5, 13.5, 1],
  'High Sensitivity C-Reactive Protein': [0.1, 3, 1],
  'Erythrocyte Sedimentation Rate': [1, 20, 0, [1, 14]],
  'Uric Acid': [2.6, 6, 1, [3.6, 7.4]],
  'Rheumatoid Factor': [2, 14, 0],
  'Hemoglobin A1c': [4.6, 5.6, 1],
  'Albumin to Creatinine Ratio, Urine': [2, 26, 0],
  'Prothrombin Time': [10.2, 12.8, 1],
  'International Normalized Ratio': [0.9, 1.1, 1],
  Amylase: [28, 100, 0],
  Lipase: [12, 58, 0],
  'Creatine Kinase': [30, 150, 0, [45, 250]],
} as const satisfies Partial<Record<AnalyteName, Row>>

/** The ranges that differ for women after menopause. */
const afterMenopause: Partial<Record<AnalyteName, Row>> = {
  Estradiol: [5, 30, 0],
  Progesterone: [0.1, 0.6, 1],
  'Follicle Stimulating Hormone': [28, 120, 1],
  'Luteinizing Hormone': [15, 55, 1],
  'Anti-Mullerian Hormone': [0, 0.1, 2],
}

interface ReferenceRange {
  readonly low: number
  readonly high: number
  readonly decimals: number
}

export function rangeOf(
  name: string,
  { sex, age }: { sex: 'female' | 'male'; age: number },
): ReferenceRange | undefined {
  const late =
    sex === 'female' && age > 51 ? ownValue<Row | undefined>(afterMenopause, name) : undefined
  const row = late ?? ownValue<Row>(ranges, name)
  if (!row) return undefined
  const [femaleLow, femaleHigh, decimals, male] = row
  const [low, high] = sex === 'male' && male ? male : [femaleLow, femaleHigh]
  return { low, high, decimals }
}

/** Values below the first number or above the second number are life-threatening, so labs report them immediately. */
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

export function criticalLimitsOf(name: string): readonly [low: number, high: number] | undefined {
  return ownValue(limits, name)
}

export function isCritical({ name, result }: OrderResult): boolean {
  const bounds = criticalLimitsOf(name ?? '')
  const value = Number(result || Number.NaN)
  return bounds !== undefined && (value < bounds[0] || value > bounds[1])
}
