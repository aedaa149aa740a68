import type { Device, DeviceRecord } from '../devices/device-record.ts'
import type { LivedDay } from '../devices/lived-day.ts'
import { ageOf } from '../person/growth.ts'
import type { LivingPerson } from '../person/life.ts'
import { lifeOf } from '../person/life.ts'
import { heightOn } from '../plan/body-state.ts'
import { makeRecord } from './make-record.ts'

/** The days between profile changes. Until age 20, the profile changes five times a year. */
const [yearly, growing] = [365, 73] as const

export function isProfileDate(person: LivingPerson, date: number): boolean {
  return daysSinceChange(person, date) === 0
}

/** Returns the profile's height on a date, in whole centimeters: the person's height when the profile was last edited. */
export function profileHeight(person: LivingPerson, date: number): number {
  return Math.round(heightOn(lifeOf(person), date - daysSinceChange(person, date)))
}

function daysSinceChange(person: LivingPerson, date: number): number {
  const turn = person.random.fork('profile').integer(0, yearly - 1)
  // Growth has ended by this age, so the height does not change when the yearly interval begins.
  const days = ageOf(person, date) < 20 ? growing : yearly
  return (((date - turn) % days) + days) % days
}

export function profileRecords(day: LivedDay, device: Device): DeviceRecord[] {
  const { person, date } = day
  if (!isProfileDate(person, date)) return []
  const { plan } = day
  return [
    makeRecord(day, device, {
      resource: 'profile',
      key: 0,
      times: { updated_at: plan.start },
      readyAt: plan.start,
      values: {
        height_centimeter: profileHeight(person, date),
        sex: person.sex,
        gender: person.sex,
        birth_date: new Date(person.born * 86_400_000).toISOString().slice(0, 10),
      },
    }),
  ]
}
