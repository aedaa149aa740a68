import { day } from '../../base/time-units.ts'
import { localTime } from '../../base/time-zone.ts'
import type { Person } from '../person/person.ts'
import { planOf } from '../plan/plan.ts'

/** Returns the calendar date of a person at a moment, in days since 1970-01-01: travel may move it. */
export function dateAt(person: Person, moment: number): number {
  let date = Math.floor(localTime(person.zone, moment) / day)
  while (planOf(person, date).start > moment) date -= 1
  while (planOf(person, date).end <= moment) date += 1
  return date
}
