import type { ExpectedResult } from '../../../src/contract/markers.ts'
import type { OrderResult } from '../../../src/contract/orders.ts'
import { ownValue } from '../../../src/shared/narrow.ts'
import type { Random } from '../../reference-data/random.ts'
import { clamp, roundTo } from '../numbers.ts'
import { ageOf } from '../person/growth.ts'
import type { LivingPerson } from '../person/life.ts'
import { lifeOf } from '../person/life.ts'
import { gestationOn } from '../plan/condition.ts'
import { planOf } from '../plan/plan.ts'
import { glucoseOf } from '../signals/glucose.ts'
import { derivedValue, type MeasuredResult, mostOf } from './derived.ts'
import { type Donor, effectOn } from './effects.ts'
import { criticalLimitsOf, rangeOf } from './reference-ranges.ts'

export interface LabSample {
  readonly person: LivingPerson
  /** The calendar date, in days since 1970-01-01. */
  readonly date: number
  readonly random: Random
  /** Whether to make one of the results critical. */
  readonly isCritical: boolean
}

/** Textual results, for analytes without a unit. */
const words: Readonly<Record<string, string>> = {
  'HIV 1 and 2 Antigen and Antibody': 'Non-Reactive',
  'Hepatitis C Antibody': 'Non-Reactive',
  'Hepatitis B Surface Antigen': 'Non-Reactive',
  'Rapid Plasma Reagin': 'Non-Reactive',
  'Chlamydia trachomatis': 'Not Detected',
  'Neisseria gonorrhoeae': 'Not Detected',
}

/** The minimum values that labs can measure. A lower value is reported as a range, such as `<10`. */
const leastMeasured: Readonly<Record<string, number>> = {
  'Rheumatoid Factor': 10,
  'Thyroid Peroxidase Antibodies': 9,
  'C-Reactive Protein': 0.3,
  'High Sensitivity C-Reactive Protein': 0.3,
  'Prostate Specific Antigen': 0.1,
}

/** Returns a sample's results, which are consistent with the person and with each other. */
export function resultsOf(expected: readonly ExpectedResult[], sample: LabSample): OrderResult[] {
  const names = expected.map(({ name }) => name ?? '')
  const critical = sample.isCritical ? names.find((name) => criticalLimitsOf(name)) : undefined
  const measured = measure(sample, critical)
  return expected.map(({ name, slug, loinc }) => {
    const unit = loinc?.unit ?? null
    return { name, slug, ...wordsOrValue(name ?? '', measured), unit }
  })
}

/** Returns an analyte's result fields, including the deprecated `value` (specification part 9). */
function wordsOrValue(
  name: string,
  measured: (name: string) => MeasuredResult,
): Partial<OrderResult> {
  const text = ownValue(words, name)
  if (text !== undefined) return { result: text, result_type: 'comment', value: text }
  const { value, decimals } = measured(name)
  const least = ownValue(leastMeasured, name)
  if (least !== undefined && value < least) {
    return { result: `<${least}`, result_type: 'range', value: `<${least}` }
  }
  return { result: value.toFixed(decimals), result_type: 'numeric', value }
}

/** Returns a function that measures an analyte in the sample. Repeated calls return the same value. */
function measure(
  sample: LabSample,
  critical: string | undefined,
): (name: string) => MeasuredResult {
  const donor = donorOf(sample)
  const measured = (name: string): MeasuredResult => {
    if (name === critical) return criticalValue(name, sample, donor)
    const read = (other: string) => measured(other).value
    const derived = derivedValue(name, read, donor)
    if (derived) return derived
    const { value, decimals } = measuredValue(name, sample, donor)
    return { value: roundTo(Math.min(value, mostOf(name, read)), decimals), decimals }
  }
  return measured
}

/** Returns a non-critical value that is typical of the person and differs slightly between samples. */
function measuredValue(
  name: string,
  { person, date, random }: LabSample,
  donor: Donor,
): MeasuredResult {
  const range = rangeOf(name, donor)
  const ofSample = random.fork(`result/${name}`)
  if (!range) return { value: ofSample.integer(10, 2000) / 10, decimals: 1 }
  const { low, high, decimals } = range
  const ofPerson = person.random.fork(`result/${name}`)
  // Without effects, about 95 of 100 people are within the range.
  const place = 0.43 * normal(ofPerson) + 0.22 * normal(ofSample) + effectOn(name, donor)
  const usual = (low + high) / 2 + (place * (high - low)) / 2
  const value = ownValue(fromSamples, name)?.(person, date) ?? usual
  const [least, most] = criticalLimitsOf(name) ?? [low * 0.4, Number.POSITIVE_INFINITY]
  return { value: roundTo(clamp(value, Math.max(least, low * 0.4), most), decimals), decimals }
}

/** The analytes computed from the person's glucose level. */
const fromSamples: Readonly<Record<string, (person: LivingPerson, date: number) => number>> = {
  Glucose: fastingGlucose,
  'Hemoglobin A1c': hemoglobinA1c,
}

function criticalValue(name: string, { random }: LabSample, donor: Donor): MeasuredResult {
  const [low, high] = criticalLimitsOf(name) ?? [0, 0]
  const decimals = rangeOf(name, donor)?.decimals ?? 1
  const draws = random.fork(`critical/${name}`)
  const isLow = low > 0 && draws.next() < 0.5
  const value = isLow ? low * (0.8 + 0.15 * draws.next()) : high * (1.05 + 0.15 * draws.next())
  return { value: roundTo(value, decimals), decimals }
}

function donorOf({ person, date }: LabSample): Donor {
  const life = lifeOf(person)
  const { body } = planOf(person, date)
  const { fitness } = life.traits
  const age = ageOf(person, date)
  return { sex: person.sex, age, body, fitness, gestation: gestationOn(life, date) }
}

/** Draws an approximately normally distributed number. Most are between -1 and 1, and all are between -3 and 3. */
function normal(random: Random): number {
  return 2 * (random.next() + random.next() + random.next() - 1.5)
}

/** The factor that converts glucose from mmol/L to mg/dL. */
const milligrams = 18.016

/** Returns the glucose level before the first meal of a day, in mg/dL. */
function fastingGlucose(person: LivingPerson, date: number): number {
  const { start, meals } = planOf(person, date)
  const glucose = glucoseOn(person, date)
  const minute = Math.floor(((meals[0]?.at ?? start) - start) / 60_000)
  return Math.round((glucose[minute] ?? 5) * milligrams)
}

/** Returns the hemoglobin A1c as a percentage, from the mean glucose of six days, 15 days apart (Nathan 2008). */
function hemoglobinA1c(person: LivingPerson, date: number): number {
  const days = Array.from({ length: 6 }, (_, at) => meanOf(glucoseOn(person, date - at * 15)))
  return roundTo((meanOf(days) + 2.59) / 1.59, 1)
}

function glucoseOn(person: LivingPerson, date: number): Float64Array {
  return glucoseOf(lifeOf(person), planOf(person, date - 1), planOf(person, date))
}

function meanOf(values: ArrayLike<number>): number {
  let sum = 0
  for (let at = 0; at < values.length; at += 1) sum += values[at] ?? 0
  return sum / Math.max(1, values.length)
}
