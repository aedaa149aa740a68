import { minute } from '../../shared/time-units.ts'
import { mix, smoothNoise } from '../noise.ts'
import { clamp } from '../numbers.ts'
import type { Life } from '../person/life.ts'
import type { BodyState } from '../plan/day-plan.ts'
import { effortOf } from './sports.ts'
import { type BodyTimeline, doing } from './timeline.ts'

/** For each sleep stage code: the beats per minute above the resting rate, and the variation of this value. */
const sleepRates = [
  [0, 0],
  [9, 4],
  [3.5, 1.8],
  [0.5, 1],
  [6, 3.2],
] as const

/** Each minute, the heart rate closes this fraction of the gap to its target. Rises are faster than falls. */
const pace = { rise: 0.4, recovery: 0.17 } as const

/** Returns the heart rate in each minute of a timeline: integers that follow sleep stages, movement and workouts. */
export function heartRatesOf(
  life: Life,
  timeline: BodyTimeline,
  steps: Float64Array,
  body: BodyState,
): Float64Array {
  const rates = new Float64Array(timeline.doing.length)
  const target = targetOf(life, timeline, steps, body)
  const first = Math.round(timeline.start / minute)
  const { restingHeartRate, maximumHeartRate } = body
  let rate = target(0, first)
  for (let at = 0; at < rates.length; at += 1) {
    const wanted = target(at, first + at)
    rate += (wanted - rate) * (wanted > rate ? pace.rise : pace.recovery)
    const jitter = mix(life.seeds.heart, first + at) / 0x8000_0000 - 1
    const beats = Math.round(rate + jitter * 1.3)
    rates[at] = clamp(beats, restingHeartRate - 5, maximumHeartRate)
  }
  return rates
}

function targetOf(life: Life, timeline: BodyTimeline, steps: Float64Array, body: BodyState) {
  const { heart } = life.seeds
  const rest = body.restingHeartRate
  const reserve = body.maximumHeartRate - rest
  const awake = rest + 10 + 9 * body.stress
  const efforts = timeline.workouts.map((workout) => workoutTarget(workout, timeline.start))
  return (at: number, moment: number): number => {
    const code = timeline.doing[at] ?? 0
    const noise = smoothNoise(heart + 1, moment, 7)
    if (code === doing.workout) {
      return rest + reserve * (efforts[timeline.workout[at] ?? 0]?.(at, noise) ?? 0)
    }
    if (code === doing.walk) return rest + reserve * (0.33 + 0.05 * noise)
    if (code !== doing.awake) {
      const [more, spread] = sleepRates[code] ?? [0, 0]
      return rest + more + spread * noise
    }
    const mood = 6 * smoothNoise(heart + 2, moment, 80)
    return awake + mood + 3 * noise + 0.28 * (steps[at] ?? 0)
  }
}

/**
 * Returns a function that computes the share of the heart rate reserve in each minute of a workout. The workout has a
 * warm-up, intervals and a cool-down.
 */
function workoutTarget(
  { sport, intensity, start, end }: BodyTimeline['workouts'][number],
  origin: number,
): (at: number, noise: number) => number {
  const { heart } = effortOf(sport, intensity)
  const first = (start - origin) / minute
  const last = (end - origin) / minute
  return (at, noise) => {
    const warm = clamp(0.62 + 0.38 * ((at - first) / 8), 0.62, 1)
    const easy = clamp(0.75 + 0.25 * ((last - at) / 4), 0.75, 1)
    const drift = 0.0006 * Math.min(60, at - first)
    const interval = (0.03 + 0.09 * intensity) * noise
    return Math.min(0.985, (heart + drift + interval) * warm * easy)
  }
}
