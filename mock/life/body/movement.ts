import { minute } from '../../base/time-units.ts'
import { mix, smoothNoise } from '../noise.ts'
import type { Life } from '../person/life.ts'
import type { BodyState, DayPlan } from '../plan/day-plan.ts'
import { liveliness } from '../plan/liveliness.ts'
import { effortOf } from './sports.ts'
import { doing, type Timeline } from './timeline.ts'

/** What moves in each minute of a timeline. */
export interface Movement {
  /** Integers. */
  readonly steps: Float64Array
  /** Meters: multiples of 0.25, so that sums are exact. */
  readonly distance: Float64Array
  /** Kilocalories: multiples of 1/16, so that sums are exact. */
  readonly activeCalories: Float64Array
  /** Integers. */
  readonly floors: Float64Array
  /** From 0 to 3. */
  readonly intensity: Uint8Array
}

/** The energy of a minute in multiples of that at rest from which movement counts as low, medium and high. */
const energyLevels = { low: 1.4, medium: 3, high: 6 } as const

/** Returns the movement in each minute. A minute depends on nothing else but what the person does and its own moment. */
export function movementOf(life: Life, timeline: Timeline, { body, date }: DayPlan): Movement {
  const { length } = timeline.doing
  const movement = {
    steps: new Float64Array(length),
    distance: new Float64Array(length),
    activeCalories: new Float64Array(length),
    floors: new Float64Array(length),
    intensity: new Uint8Array(length),
  }
  const moves = movesOf(life, timeline, body, liveliness(life, date))
  const first = Math.round(timeline.start / minute)
  for (let at = 0; at < length; at += 1) {
    const random = mix(life.seeds.movement, first + at)
    const { steps, distance, energy } = moves(at, first + at, random)
    movement.steps[at] = steps
    movement.distance[at] = Math.round(distance * 4) / 4
    const calories = ((energy - 1) * 3.5 * body.weightKilogram) / 200
    movement.activeCalories[at] = Math.round(calories * 16) / 16
    movement.floors[at] = steps >= 15 && (random & 0xff) < 16 ? 1 : 0
    movement.intensity[at] =
      energy >= energyLevels.high
        ? 3
        : energy >= energyLevels.medium
          ? 2
          : energy >= energyLevels.low
            ? 1
            : 0
  }
  return movement
}

interface Move {
  steps: number
  distance: number
  /** In multiples of the energy at rest. */
  energy: number
}

const still: Move = { steps: 0, distance: 0, energy: 1 }

/** Returns the function of a minute that says how the person moves. */
function movesOf({ seeds }: Life, timeline: Timeline, body: BodyState, usual: number) {
  const stride = (0.414 * body.heightCentimeter) / 100
  const efforts = timeline.workouts.map(({ sport, intensity }) => effortOf(sport, intensity))
  // A trained heart rests at a low rate, and its owner runs faster.
  const speed = 1.35 - body.restingHeartRate / 190
  const onFoot = (steps: number): Move => ({
    steps,
    distance: steps * stride,
    // The walking equation of the American College of Sports Medicine, with meters per minute.
    energy: 1 + (steps * stride * 0.1) / 3.5 + (steps > 0 ? 0.3 : 0),
  })
  const moving = (effort: ReturnType<typeof effortOf>, vigor: number): Move => ({
    steps: Math.round(effort.cadence * vigor),
    distance: effort.speed * speed * vigor,
    energy: 1 + (effort.energy - 1) * vigor,
  })
  return (at: number, moment: number, random: number): Move => {
    const code = timeline.doing[at]
    const amount = (random >>> 16) / 0x1_0000
    if (code === doing.awake) {
      const mood = 0.5 + 0.5 * smoothNoise(seeds.movement + 1, moment, 25)
      const isMoving = ((random >>> 8) & 0xff) / 0x100 < 0.27 * mood * usual
      return isMoving ? onFoot(Math.round(5 + 58 * amount * amount)) : still
    }
    if (code === doing.walk) return onFoot(Math.round(99 + 9 * usual + 12 * amount))
    const effort = code === doing.workout && efforts[timeline.workout[at] ?? 0]
    return effort ? moving(effort, 0.94 + 0.12 * amount) : still
  }
}
