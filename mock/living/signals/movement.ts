import { minute } from '../../shared/time-units.ts'
import { mix, smoothNoise } from '../noise.ts'
import type { Life } from '../person/life.ts'
import { liveliness } from '../plan/condition.ts'
import type { BodyState, DayPlan } from '../plan/day-plan.ts'
import { effortOf } from './sports.ts'
import { type BodyTimeline, doing } from './timeline.ts'

/** Returns the movement intensity, from 0 (none) to 3 (high). `energy` is a multiple of the resting rate. */
function intensityOf(energy: number): number {
  return Number(energy >= 1.4) + Number(energy >= 3) + Number(energy >= 6)
}

/** Returns the movement in each minute. The minutes do not depend on each other. */
export function movementOf(life: Life, timeline: BodyTimeline, { body, date }: DayPlan) {
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
    movement.intensity[at] = intensityOf(energy)
  }
  return movement
}

interface Move {
  steps: number
  distance: number
  /** Energy expenditure, as a multiple of the resting rate. */
  energy: number
}

const still: Move = { steps: 0, distance: 0, energy: 1 }

function movesOf({ seeds }: Life, timeline: BodyTimeline, body: BodyState, usual: number) {
  const stride = (0.414 * body.heightCentimeter) / 100
  const efforts = timeline.workouts.map(({ sport, intensity }) => effortOf(sport, intensity))
  // People with a low resting heart rate are fitter, so they run faster.
  const speed = 1.35 - body.restingHeartRate / 190
  const onFoot = (steps: number): Move => ({
    steps,
    distance: steps * stride,
    // The American College of Sports Medicine's walking equation, with the speed in meters per minute.
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
