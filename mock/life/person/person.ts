import type { Random } from '../../base/random.ts'
import type { Persona } from './persona.ts'

/** A user whose health data is generated. All of it is a pure function of the person and a calendar date. */
export interface Person {
  /** The random generator of the user. Only fork it: numbers drawn from it would depend on the order of calls. */
  readonly random: Pick<Random, 'fork'>
  /** How the person lives. */
  readonly persona: Persona
  /** The sex on which the ranges of values depend. */
  readonly sex: 'female' | 'male'
  /** The date of birth, in days since 1970-01-01. */
  readonly born: number
  /** The time zone at home: an IANA name such as `Europe/Berlin`, or a fixed offset such as `+02:00`. */
  readonly zone: string
}
