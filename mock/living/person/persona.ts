/** When a person works: in an office, in shifts around the clock, or not at set hours. */
type WorkPattern = 'office' | 'shifts' | 'none'

/** A sport that a person does. */
export interface Habit {
  /** The slug of the sport. */
  readonly sport: string
  /** The usual length in minutes. */
  readonly minutes: number
  /** From 0, easy, to 1, the hardest that the person can do. */
  readonly intensity: number
  /** How often the person does it, compared with the persona's other sports. */
  readonly weight: number
}

/** How a person lives. Numbers are means: people vary around them, and so do their days. */
export interface Persona {
  /** The name, such as `athlete`. */
  readonly name: string
  /** The usual ages in years, both inclusive. */
  readonly ages: readonly [youngest: number, oldest: number]
  /** The only sex, if the persona has one. */
  readonly sex?: 'female'
  readonly work: WorkPattern
  /** Minutes by which the person sleeps and wakes later than usual. */
  readonly chronotype: number
  /** Minutes of sleep that the person needs beyond the average for the age. */
  readonly sleepNeed: number
  /** How often a night is interrupted. */
  readonly interruptions: number
  /** The share of days with a nap, from 0 to 1. */
  readonly naps: number
  /** From 0, untrained, to 1, an endurance athlete. */
  readonly fitness: number
  /** Workouts per week. */
  readonly workouts: number
  readonly habits: readonly Habit[]
  /** Movement in daily life, without workouts; 1 is usual. */
  readonly movement: number
  /** Kilograms per square meter, as an adult. */
  readonly bodyMassIndex: number
  /** From 0 to 1. */
  readonly stress: number
  /** The share of two-month periods with an illness, from 0 to 1. */
  readonly illness: number
  /** The share of eight-week periods with a trip to another time zone, from 0 to 1. */
  readonly trips: number
  /** Whether the person has type 1 diabetes. */
  readonly isDiabetic?: boolean
  /** Whether the person is pregnant most of the time. */
  readonly isPregnant?: boolean
}
