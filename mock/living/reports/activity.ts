import { present } from '../../../src/shared/narrow.ts'
import { kindOf } from '../devices/device-kinds.ts'
import type { Device, DeviceRecord } from '../devices/device-record.ts'
import type { LivedDay } from '../devices/lived-day.ts'
import { measure } from '../devices/measure.ts'
import { habitsOf, wornMinutes } from '../devices/wear.ts'
import { heartRateColumns, sumOf } from '../devices/window.ts'
import { makeRecord } from './make-record.ts'

/** The minimum number of worn minutes for a daily summary. Workout devices are worn only during workouts. */
const leastMinutes = { worn: 60, nights: 60, carried: 60, workouts: 1 } as const

/**
 * Returns a list with the day's summary of the device's own measurements. The list is empty if the device was hardly
 * worn.
 */
export function activityRecords(day: LivedDay, device: Device): DeviceRecord[] {
  const { plan } = day
  const { use } = kindOf(device.provider)
  const minutes = wornMinutes(day, device).reduce((sum, worn) => sum + worn, 0)
  if (!habitsOf(day, device).isDayWorn || minutes < leastMinutes[use]) return []
  return [
    makeRecord(day, device, {
      resource: 'activity',
      key: 0,
      times: { date: plan.start },
      readyAt: plan.end,
      values: activityColumns(day, device),
    }),
  ]
}

function activityColumns(day: LivedDay, device: Device) {
  const valuesOf = (resource: string) => measure(day, device, resource)?.values ?? []
  const total = (resource: string) =>
    device.resources.includes(resource) ? sumOf(valuesOf(resource)) : null
  const active = total('calories_active')
  const basal = total('calories_basal')
  const heartRates = device.resources.includes('heartrate') ? valuesOf('heartrate') : []
  const isSeenAtRest = heartRates.length > 0 && kindOf(device.provider).use !== 'workouts'
  return {
    steps: total('steps'),
    distance_meter: total('distance'),
    floors_climbed: total('floors_climbed'),
    calories_active: active,
    calories_total: active === null || basal === null ? null : active + basal,
    ...intensityColumns(day, device),
    ...heartRateColumns(heartRates),
    heart_rate_resting: isSeenAtRest ? Math.round(day.plan.body.restingHeartRate) : null,
    wheelchair_push: null,
  }
}

/** Counts the seconds at each intensity while the device is worn and the person is out of bed. */
function intensityColumns(day: LivedDay, device: Device) {
  const { samples, inBed } = day
  const worn = wornMinutes(day, device)
  const minutes = [0, 0, 0, 0]
  for (let at = 0; at < worn.length; at += 1) {
    if (!worn[at] || inBed[at]) continue
    const intensity = present(samples.intensity[at])
    minutes[intensity] = present(minutes[intensity]) + 1
  }
  const [sedentary = 0, low = 0, medium = 0, high = 0] = minutes.map((count) => count * 60)
  return {
    duration_active_second: low + medium + high,
    intensity_sedentary_second: sedentary,
    intensity_low_second: low,
    intensity_medium_second: medium,
    intensity_high_second: high,
  }
}
