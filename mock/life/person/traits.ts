import { Draws } from '../noise.ts'
import { clamp } from '../numbers.ts'
import type { Person } from './person.ts'

/** How a person differs from others of the persona. Nothing here changes with time. */
export interface Traits {
  /** Minutes by which the person sleeps and wakes later than usual. */
  readonly chronotype: number
  /** Minutes of sleep that the person needs more than others of the age. */
  readonly sleepNeed: number
  /** The height compared with the mean of the age and sex. */
  readonly tallness: number
  /** Kilograms per square meter, as an adult. */
  readonly bodyMassIndex: number
  /** From 0 to 1. */
  readonly fitness: number
  /** Beats per minute more than others at rest. */
  readonly restingShift: number
  /** The variability of the heart rate compared with others. */
  readonly variability: number
  /** Movement compared with others. */
  readonly movement: number
  /** Minutes from home to work. */
  readonly commute: number
  /** Glucose before meals, in mmol/L. */
  readonly glucose: number
  /** Days of a menstrual cycle. */
  readonly cycleLength: number
  /** Days by which what repeats is shifted: shifts, cycles, pregnancies. */
  readonly phase: number
}

/** Draws the traits of a person. */
export function drawTraits({ persona }: Person, seed: number): Traits {
  const draws = new Draws(seed, 0)
  return {
    chronotype: persona.chronotype + draws.integerAround(0, 75),
    sleepNeed: persona.sleepNeed + draws.integerAround(0, 45),
    tallness: draws.around(1, 0.1),
    bodyMassIndex: clamp(persona.bodyMassIndex + draws.around(0, 5.5), 18, 40),
    fitness: clamp(persona.fitness + draws.around(0, 0.16), 0.05, 1),
    restingShift: draws.around(0, 7),
    variability: draws.around(1, 0.45),
    movement: persona.movement * draws.around(1, 0.3),
    commute: draws.integer(12, 48),
    glucose: draws.around(5.1, 0.5),
    cycleLength: draws.integer(26, 32),
    phase: draws.integer(0, 3599),
  }
}
