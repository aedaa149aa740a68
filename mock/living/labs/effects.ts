import { ownValue } from '../../../src/shared/narrow.ts'
import type { AnalyteName } from '../../reference-data/analytes.ts'
import type { BodyState } from '../plan/day-plan.ts'

export interface Donor {
  readonly sex: 'female' | 'male'
  readonly age: number
  readonly body: BodyState
  /** The fitness level, from 0 (untrained) to 1. */
  readonly fitness: number
  /** How far a pregnancy has progressed, from 0 (none) to 1 (birth). */
  readonly gestation: number
}

/** How far a person's traits shift a value from the middle of its reference range, in units of half the range. */
const effects: Partial<Record<AnalyteName, (donor: Donor) => number>> = {
  Creatinine: ({ age, gestation }) => 0.008 * (age - 45) - 0.9 * sinceStart(gestation),
  'Urea Nitrogen': ({ age, gestation }) => 0.012 * (age - 45) - 0.8 * sinceStart(gestation),
  Albumin: ({ age, gestation }) => -0.006 * (age - 45) - 1.2 * gestation,
  'Alkaline Phosphatase': ({ gestation }) => 1.6 * gestation,
  'Alanine Aminotransferase': (donor) => 0.06 * excess(donor),
  Triglycerides: (donor) => 0.08 * excess(donor) - 0.5 * donor.fitness + 2 * donor.gestation,
  'HDL Cholesterol': (donor) => -0.06 * excess(donor) + 0.7 * (donor.fitness - 0.35),
  'LDL Cholesterol': ({ age, gestation }) => 0.012 * (Math.min(age, 65) - 42) + 0.9 * gestation,
  'White Blood Cell Count': ({ body, gestation }) => 1.6 * body.illness + 0.8 * gestation,
  Hemoglobin: ({ gestation }) => -1.1 * sinceStart(gestation),
  Cortisol: ({ body, gestation }) => 0.8 * (body.stress - 0.35) + 2 * gestation,
  Estradiol: ({ gestation }) => 90 * gestation,
  Progesterone: ({ gestation }) => 14 * gestation,
  Prolactin: ({ gestation }) => 18 * gestation,
  Insulin: (donor) => 0.09 * excess(donor) - 0.5 * donor.fitness,
  'Insulin-Like Growth Factor 1': ({ age }) => -0.025 * (age - 45),
  'Prostate Specific Antigen': ({ age }) => 0.018 * (age - 50),
  'Anti-Mullerian Hormone': ({ age }) => -0.06 * (age - 32),
  'Vitamin D, 25-Hydroxy': (donor) => -0.04 * excess(donor),
  Ferritin: ({ fitness, gestation }) => -0.7 * (fitness - 0.35) - 0.7 * sinceStart(gestation),
  'High Sensitivity C-Reactive Protein': (donor) => 0.05 * excess(donor) + 6 * donor.body.illness,
  'Erythrocyte Sedimentation Rate': ({ age, body, gestation }) =>
    0.012 * (age - 45) + 2 * body.illness + 1.8 * gestation,
  'Uric Acid': (donor) => 0.06 * excess(donor),
  'Creatine Kinase': ({ fitness }) => 1.8 * Math.max(0, fitness - 0.45),
}

export function effectOn(name: string, donor: Donor): number {
  return ownValue(effects, name)?.(donor) ?? 0
}

/** Returns the body mass index minus 24. */
function excess({ body }: Donor): number {
  return body.weightKilogram / (body.heightCentimeter / 100) ** 2 - 24
}

/** Returns a pregnancy's effect: it rises to 1 in the first quarter of the pregnancy, and then stays at 1. */
function sinceStart(gestation: number): number {
  return Math.min(1, gestation * 4)
}
