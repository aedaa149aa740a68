/** A person's work schedule: office hours, shifts around the clock, or no work. */
type WorkPattern = 'office' | 'shifts' | 'none'

/** A sport that a person does. */
export interface Habit {
  readonly sport: string
  /** The usual length in minutes. */
  readonly minutes: number
  /** The intensity, from 0 (easy) to 1 (the person's maximum). */
  readonly intensity: number
  /** How often the person does the sport, relative to the persona's other sports. */
  readonly weight: number
}

/** How a person lives. Numbers are averages. Actual values vary by person and day. */
export interface Persona {
  readonly name: string
  /** The usual age range in years, inclusive. */
  readonly ages: readonly [youngest: number, oldest: number]
  /** The default sex. If omitted, the generated personal data determines the sex. */
  readonly sex?: 'female'
  readonly work: WorkPattern
  /** How many minutes later than average the person falls asleep and wakes up. */
  readonly chronotype: number
  /** The minutes of sleep that the person needs beyond the average for their age. */
  readonly sleepNeed: number
  /** The average number of long awakenings per night. */
  readonly interruptions: number
  /** The fraction of days with a nap, from 0 to 1. */
  readonly naps: number
  /** The fitness level, from 0 (untrained) to 1 (an endurance athlete). */
  readonly fitness: number
  /** The number of workouts per week. */
  readonly workouts: number
  readonly habits: readonly Habit[]
  /** Movement in daily life, excluding workouts. A typical value is 1. */
  readonly movement: number
  /** The body mass index as an adult, in kilograms per square meter. */
  readonly bodyMassIndex: number
  /** The stress level, from 0 to 1. */
  readonly stress: number
  /** The fraction of two-month periods with an illness, from 0 to 1. */
  readonly illness: number
  /** The fraction of eight-week periods with a trip to another time zone, from 0 to 1. */
  readonly trips: number
  /** Whether the person has type 1 diabetes. */
  readonly isDiabetic?: boolean
  /** Whether the person repeatedly becomes pregnant. */
  readonly isPregnant?: boolean
}
