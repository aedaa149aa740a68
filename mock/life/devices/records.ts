import type { Person } from '../person/person.ts'
import type { SleepStage } from '../plan/day-plan.ts'
import { type LivedDay, livedDay } from './day/lived-day.ts'
import type { Device, DeviceRecord } from './device-record.ts'
import { activityRecords } from './reports/activity.ts'
import { bodyRecords, mealRecords } from './reports/measurements.ts'
import { profileRecords } from './reports/profile.ts'
import { sleepReports } from './reports/sleep.ts'
import { workoutRecords } from './reports/workouts.ts'

const tables: Readonly<Record<string, (day: LivedDay, device: Device) => DeviceRecord[]>> = {
  sleep: (day, device) => knownSleeps(day, device).map(({ record }) => record),
  activity: activityRecords,
  workout: workoutRecords,
  body: bodyRecords,
  meal: mealRecords,
  profile: profileRecords,
}

/** Returns the records of a table that a device reports for a date; none if it does not measure the table. */
export function reportedRecords(
  person: Person,
  device: Device,
  resource: string,
  date: number,
): DeviceRecord[] {
  if (!device.resources.includes(resource)) return []
  return tables[resource]?.(livedDay(person, date), device) ?? []
}

/** Returns the stages of a sleep session that a device reports for a date; undefined for an unknown session. */
export function reportedStages(
  person: Person,
  device: Device,
  { id, date }: Pick<DeviceRecord, 'id' | 'date'>,
): readonly SleepStage[] | undefined {
  return knownSleeps(livedDay(person, date), device).find(({ record }) => record.id === id)?.stages
}

/** Returns the sleep sessions of a device, whose records and stages are read one after the other. */
function knownSleeps(day: LivedDay, device: Device) {
  return day.once(`sleeps/${device.provider}`, () => sleepReports(day, device))
}
