import type { Span } from './spans.ts'

/**
 * A person's calendar day, from which the day's records and samples are derived. Times are Unix timestamps in
 * milliseconds. A person's days have no gaps: each day ends when the next one starts, even when the clock changes or
 * the person travels.
 */
export interface DayPlan {
  /** The calendar date, in days since 1970-01-01. */
  readonly date: number
  /** The start of the date in the day's first time zone. */
  readonly start: number
  /** The start of the next date in the day's last time zone. */
  readonly end: number
  /** The day's time zones, in order. A flight adds a second one. */
  readonly zones: readonly ZoneChange[]
  /** The sleep sessions that end on this day, in order. The main sleep can start on the day before. */
  readonly sleeps: readonly PlannedSleep[]
  /** The workouts, in order. Workouts do not overlap each other or sleep sessions. */
  readonly workouts: readonly PlannedWorkout[]
  /** The outdoor walks, such as commutes, in order. Walks last whole minutes and do not overlap workouts or sleep. */
  readonly walks: readonly Span[]
  /** The meals, in order. */
  readonly meals: readonly PlannedMeal[]
  readonly body: BodyState
}

export interface ZoneChange {
  readonly from: number
  /** An IANA name or a fixed offset. */
  readonly zone: string
}

/** A sleep session. Its stages cover the session without gaps. */
export interface PlannedSleep extends Span {
  /** Whether this is a daytime nap rather than the main sleep. */
  readonly isNap: boolean
  readonly stages: readonly SleepStage[]
}

/** A sleep stage, which usually lasts whole minutes. */
export interface SleepStage extends Span {
  readonly type: 'awake' | 'light' | 'deep' | 'rem'
}

/** A workout, which lasts whole minutes. */
export interface PlannedWorkout extends Span {
  /** The sport's slug, such as `running`. */
  readonly sport: string
  /** The intensity, from 0 (easy) to 1 (the person's maximum). */
  readonly intensity: number
}

export interface PlannedMeal {
  readonly at: number
  /** The meal's name, such as `Breakfast`. */
  readonly name: string
  /** Kilocalories: 4 per gram of carbohydrates or protein, and 9 per gram of fat. */
  readonly calories: number
  /** Gram values are integers. */
  readonly carbohydrateGram: number
  readonly proteinGram: number
  readonly fatGram: number
}

/** A person's body measurements and condition on a day. */
export interface BodyState {
  /** The weight, to one decimal place. */
  readonly weightKilogram: number
  /** The height in whole centimeters. */
  readonly heightCentimeter: number
  /** The body fat percentage, to one decimal place. */
  readonly fatPercentage: number
  /** The resting heart rate in whole beats per minute. */
  readonly restingHeartRate: number
  /** The maximum heart rate in whole beats per minute. */
  readonly maximumHeartRate: number
  /** The heart rate variability (RMSSD) at night in milliseconds, to one decimal place. */
  readonly hrv: number
  /** The stress level, from 0 to 1. */
  readonly stress: number
  /** The severity of an illness, from 0 (healthy) to 1 (very ill). */
  readonly illness: number
  /** An integer from 5 to 100. */
  readonly readiness: number
  /** The energy that the body needs at rest in 24 hours, in whole kilocalories. */
  readonly basalCalories: number
}
