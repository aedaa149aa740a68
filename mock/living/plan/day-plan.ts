import type { Span } from './spans.ts'

/**
 * A calendar day as a person lives it: what every record and sample of the day derives from. Moments are milliseconds
 * since 1970 in UTC. The days of a person follow each other without gaps: each ends where the next one starts, also when
 * the clock changes or the person travels.
 */
export interface DayPlan {
  /** The calendar date, in days since 1970-01-01. */
  readonly date: number
  /** Midnight at the place where the day starts. */
  readonly start: number
  /** Midnight at the place where the day ends. */
  readonly end: number
  /** The time zones of the day, the first from its start; a second one after a flight. */
  readonly zones: readonly ZoneChange[]
  /** The sleep sessions that end on this day, in order; the main one of the night may start the day before. */
  readonly sleeps: readonly PlannedSleep[]
  /** In order; none overlaps another or a sleep session. */
  readonly workouts: readonly PlannedWorkout[]
  /** On foot outside, such as the way to work; of whole minutes, in order, and apart from workouts and sleep. */
  readonly walks: readonly Span[]
  /** In order. */
  readonly meals: readonly PlannedMeal[]
  /** The slow state of the body on this day. */
  readonly body: BodyState
}

/** A time zone from a moment on. */
export interface ZoneChange {
  readonly from: number
  /** An IANA name or a fixed offset. */
  readonly zone: string
}

/** A sleep session. Its stages cover it without gaps. */
export interface PlannedSleep extends Span {
  /** A nap in the daytime, not the main sleep. */
  readonly isNap: boolean
  readonly stages: readonly SleepStage[]
}

/** A stage of sleep, at least a minute long and of whole minutes. */
export interface SleepStage extends Span {
  readonly type: 'awake' | 'light' | 'deep' | 'rem'
}

/** A workout of whole minutes. */
export interface PlannedWorkout extends Span {
  /** The sport's slug, such as `running`. */
  readonly sport: string
  /** The intensity, from 0 (easy) to 1 (the person's maximum). */
  readonly intensity: number
}

/** A meal. */
export interface PlannedMeal {
  readonly at: number
  /** Such as `Breakfast`. */
  readonly name: string
  /** Kilocalories: 4 for a gram of carbohydrates or protein, 9 for a gram of fat. */
  readonly calories: number
  /** Grams are integers. */
  readonly carbohydrateGram: number
  readonly proteinGram: number
  readonly fatGram: number
}

/** The slow state of the body on a day. */
export interface BodyState {
  /** With one decimal. */
  readonly weightKilogram: number
  /** An integer. */
  readonly heightCentimeter: number
  /** From 0 to 100, with one decimal. */
  readonly fatPercentage: number
  /** Beats per minute, an integer. */
  readonly restingHeartRate: number
  /** Beats per minute, an integer. */
  readonly maximumHeartRate: number
  /** The root mean square of successive differences at night, in milliseconds, with one decimal. */
  readonly hrv: number
  /** The stress level, from 0 to 1. */
  readonly stress: number
  /** From 0, healthy, to 1, very ill. */
  readonly illness: number
  /** From 0 to 100, an integer. */
  readonly readiness: number
  /** Kilocalories that the body needs at rest in 24 hours, an integer. */
  readonly basalCalories: number
}
