import type { Device, DeviceRecord } from '../devices/device-record.ts'
import { type LivedDay, livedDay } from '../devices/lived-day.ts'
import type { LivingPerson } from '../person/life.ts'
import type { SleepStage } from '../plan/day-plan.ts'
import { activityRecords } from './activity.ts'
import { bodyRecords, mealRecords } from './measurements.ts'
import { profileRecords } from './profile.ts'
import { sleepReports } from './sleep.ts'
import { workoutRecords } from './workouts.ts'

const tables: Readonly<Record<string, (day: LivedDay, device: Device) => DeviceRecord[]>> = {
  sleep: (day, device) => knownSleeps(day, device).map(({ record }) => record),
  activity: activityRecords,
  workout: workoutRecords,
  body: bodyRecords,
  meal: mealRecords,
  profile: profileRecords,
}

export function reportedRecords(
  person: LivingPerson,
  device: Device,
  resource: string,
  date: number,
): readonly DeviceRecord[] {
  if (!device.resources.includes(resource)) return []
  const day = livedDay(person, date)
  const name = `records/${device.provider}/${resource}`
  return day.once(name, () => tables[resource]?.(day, device) ?? [])
}

export function reportedStages(
  person: LivingPerson,
  device: Device,
  { id, date }: { id: string; date: number },
): readonly SleepStage[] | undefined {
  return knownSleeps(livedDay(person, date), device).find(({ record }) => record.id === id)?.stages
}

/** Returns a day's sleep reports. They are cached because records and stages are read separately. */
function knownSleeps(day: LivedDay, device: Device) {
  return day.once(`sleeps/${device.provider}`, () => sleepReports(day, device))
}
