import { ageOf } from '../person/growth.ts'
import type { Life } from '../person/life.ts'

/** Days of a pregnancy, and days after it until the next one is generated. */
const gestation = { days: 280, pause: 80 } as const

/**
 * Returns how far a pregnancy is, from 0, none, to 1, the birth. The persona has one pregnancy in each 360 days, so that
 * most dates are in one without knowing the date of today.
 */
export function gestationOn({ person, traits }: Life, date: number): number {
  if (!person.persona.isPregnant || person.sex !== 'female') return 0
  const age = ageOf(person, date)
  if (age < 16 || age > 50) return 0
  const day = (date + traits.phase) % (gestation.days + gestation.pause)
  return day < gestation.days ? day / gestation.days : 0
}

/** Whether a day is in the second half of a menstrual cycle, in which the heart beats faster. */
export function isLuteal({ person, traits }: Life, date: number): boolean {
  const age = ageOf(person, date)
  if (person.sex !== 'female' || age < 13 || age > 51) return false
  return (date + traits.phase) % traits.cycleLength >= traits.cycleLength - 14
}
