import * as z from 'zod/mini'
import { suggestName } from '../../../src/contract/schema/nearest.ts'
import { isTimeZone, timeZoneNames } from '../../base/time-zone.ts'
import { MockError } from '../../errors.ts'
import { personaNames } from '../../life/person/personas.ts'
import { momentOfText } from '../clock/time.ts'
import { invalidOption } from '../plain.ts'

/** The sexes on which the ranges of health data depend. */
const sexes = ['female', 'male'] as const

const datePattern = /^\d{4}-\d{2}-\d{2}$/

/** The schemas of how a user lives. */
export const lifeSchemas = {
  persona: z.optional(z.enum(personaNames)),
  time_zone: z.optional(z.string().check(z.refine(isTimeZone, 'a time zone'))),
  born: z.optional(z.string().check(z.regex(datePattern))),
  sex: z.optional(z.enum(sexes)),
}

/** What a test can say about the life of a user. */
interface LifeInput {
  persona?: string
  time_zone?: string
  born?: string
  sex?: string
  /** The personal data of a user to create. */
  info?: { dob?: string } | null | undefined
  connections?: readonly string[]
  living?: boolean
}

/** The state of a team that decides which lives exist. */
export interface LifeContext {
  readonly clock: { readonly moment: number }
  readonly providers: { list(): { slug: string }[] }
}

/**
 * Checks what a test says about the life of a user, before anything is created.
 *
 * @throws {MockError} `invalid_option` for an unknown persona, time zone or provider, or invalid or different dates of birth.
 */
export function checkLife(input: LifeInput, { clock, providers }: LifeContext): void {
  const { persona, time_zone, sex, connections, living } = input
  if (persona !== undefined) checkName('persona', persona, personaNames)
  if (time_zone !== undefined) checkZone(time_zone)
  checkBirths(input, clock.moment)
  if (sex !== undefined && !isSex(sex)) throw invalidOption('sex', "'female' or 'male'", sex)
  if (living !== undefined && typeof living !== 'boolean') {
    throw invalidOption('living', 'true or false', living)
  }
  if (connections === undefined) return
  if (!Array.isArray(connections)) {
    throw invalidOption('connections', "a list of providers, such as ['oura']", connections)
  }
  const slugs = providers.list().map(({ slug }) => slug)
  for (const provider of connections) checkName('provider', provider, slugs)
}

/** Whether a value is a sex on which the ranges of health data depend. */
export function isSex(value: unknown): value is (typeof sexes)[number] {
  return sexes.some((sex) => sex === value)
}

function checkZone(zone: unknown): void {
  if (typeof zone === 'string' && isTimeZone(zone)) return
  const [area] = String(zone).split('/')
  const names = timeZoneNames()
  const ofArea = names.filter((name) => name.split('/')[0] === area)
  checkName('time zone', zone, ofArea.length > 0 ? ofArea : ['+02:00', ...names])
}

function checkName(what: string, name: unknown, known: readonly string[]): void {
  if (typeof name === 'string' && known.includes(name)) return
  const shown = typeof name === 'string' ? `'${name}'` : String(name)
  const advice = suggestName(String(name), known)
  const list = advice.startsWith('Use one of') ? '' : ` Known: ${known.join(', ')}.`
  throw new MockError('invalid_option', `Unknown ${what} ${shown}. ${advice}${list}`)
}

/** All people who live were born since then: the ranges of health data are theirs. */
const firstBirth = '1900-01-01'

function checkBirths({ born, info }: LifeInput, now: number): void {
  const today = new Date(now).toISOString().slice(0, 10)
  const expected = `a date such as '1990-05-17', from ${firstBirth} to ${today}`
  if (born !== undefined && !isBirth(born, now)) throw invalidOption('born', expected, born)
  const dob = info?.dob
  if (dob === undefined) return
  // Messages do not repeat personal data.
  if (!isBirth(dob, now))
    throw new MockError('invalid_option', `Expected info.dob to be ${expected}.`)
  if (born === undefined || born === dob) return
  throw new MockError(
    'invalid_option',
    'Expected born and info.dob to be the same date of birth. Omit one of them.',
  )
}

function isBirth(date: unknown, now: number): boolean {
  if (typeof date !== 'string' || !datePattern.test(date) || date < firstBirth) return false
  return momentOfText(date) <= now
}
