import { minute } from '../../shared/time-units.ts'
import type { DayPlan, PlannedWorkout, SleepStage } from '../plan/day-plan.ts'
import type { Span } from '../plan/spans.ts'

/** A person's activity in a minute. The codes from `lying` to `rem` are sleep stages. */
export const doing = { awake: 0, lying: 1, light: 2, deep: 3, rem: 4, walk: 5, workout: 6 } as const

/** A timeline starts this many minutes before the day. These minutes influence the day's first heart rates. */
export const leadMinutes = 60

/** A person's activity in each minute of a day and of the hour before it. */
export interface BodyTimeline {
  /** The start of the first minute, which is {@link leadMinutes} before the day starts. */
  readonly start: number
  /** The {@link doing} code for each minute. */
  readonly doing: Uint8Array
  /** The workout's index in `workouts` for each minute of a workout. */
  readonly workout: Uint8Array
  readonly workouts: readonly PlannedWorkout[]
}

/** The {@link doing} codes of sleep stages. Being awake in bed is `lying`. */
export const stageCodes: Readonly<Record<SleepStage['type'], number>> = {
  ...doing,
  awake: doing.lying,
}

export function timelineOf(before: DayPlan, plan: DayPlan, after: DayPlan): BodyTimeline {
  const start = plan.start - leadMinutes * minute
  const length = Math.max(0, Math.round((plan.end - start) / minute))
  const timeline = {
    start,
    doing: new Uint8Array(length),
    workout: new Uint8Array(length),
    workouts: [...before.workouts, ...plan.workouts],
  }
  for (const { stages } of [...before.sleeps, ...plan.sleeps, ...after.sleeps]) {
    for (const stage of stages) fill(timeline.doing, start, stage, stageCodes[stage.type])
  }
  for (const walk of [...before.walks, ...plan.walks]) fill(timeline.doing, start, walk, doing.walk)
  for (const [index, workout] of timeline.workouts.entries()) {
    fill(timeline.doing, start, workout, doing.workout)
    fill(timeline.workout, start, workout, index)
  }
  return timeline
}

function fill(codes: Uint8Array, origin: number, { start, end }: Span, code: number): void {
  const last = Math.round((end - origin) / minute)
  if (last > 0) codes.fill(code, Math.max(0, Math.round((start - origin) / minute)), last)
}
