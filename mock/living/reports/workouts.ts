import { minute } from '../../shared/time-units.ts'
import type { Device, DeviceRecord } from '../devices/device-record.ts'
import type { LivedDay } from '../devices/lived-day.ts'
import { isWornIn } from '../devices/wear.ts'
import { heartRateColumns, sumOf, valuesBetween } from '../devices/window.ts'
import { roundTo } from '../numbers.ts'
import type { PlannedWorkout } from '../plan/day-plan.ts'
import { makeRecord } from './make-record.ts'

/** Returns the workouts that start on a day and during which the device was worn. */
export function workoutRecords(day: LivedDay, device: Device): DeviceRecord[] {
  return day.plan.workouts.flatMap((workout, key) => {
    if (!isWornIn(day, device, workout)) return []
    const { start: session_start, end: session_end } = workout
    return [
      makeRecord(day, device, {
        resource: 'workout',
        key,
        times: { session_start, session_end },
        readyAt: session_end,
        values: workoutColumns(day, device, workout),
      }),
    ]
  })
}

function workoutColumns(day: LivedDay, device: Device, workout: PlannedWorkout) {
  const { sport, start, end, intensity } = workout
  const seconds = (end - start) / 1000
  const valuesOf = (resource: string) => valuesBetween(day, device, resource, workout)
  const distances = valuesOf('distance')
  const distance = sumOf(distances) || null
  const steps = device.resources.includes('steps') ? sumOf(valuesOf('steps')) : 0
  const name = titleCase(sport)
  const power = sport === 'cycling' ? Math.round(90 + intensity * 190) : null
  return {
    title: name,
    sport_name: name,
    sport_slug: sport,
    duration_active_second: seconds,
    ...heartRateColumns(valuesOf('heartrate')),
    distance_meter: distance,
    elevation_gain_meter: isFlat(sport) ? null : distance && roundTo(distance / 90),
    speed_mean: distance && roundTo(distance / seconds, 2),
    speed_maximum: distance && roundTo(Math.max(...distances, (distance / seconds) * 60) / 60, 2),
    power_mean: power,
    power_maximum: power && Math.round(power * 1.8),
    steps: steps || null,
    calories: sumOf(valuesOf('calories_active')),
    external_id: String(start / minute),
  }
}

/** Returns whether a sport has a distance but no elevation gain. Sports without a distance never have a gain. */
function isFlat(sport: string): boolean {
  return sport === 'swimming'
}

/** Converts a slug to a name, such as `Trail running`. */
function titleCase(slug: string): string {
  const words = slug.replaceAll('_', ' ')
  return `${words[0]?.toUpperCase()}${words.slice(1)}`
}
