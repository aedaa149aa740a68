import { suggestName } from '../../../src/contract/schema-tools/nearest.ts'
import { isKnown } from '../../../src/contract/values/known-values.ts'
import { MockError } from '../../errors.ts'
import { isTimeZone, timeZoneNames } from '../../shared/time-zone.ts'
import { momentOfText } from '../../state/clock/time.ts'
import type { RecordPort } from '../../state/ports.ts'
import type { User, UserInput } from '../../state/records/users.ts'
import { personaNames } from '../person/personas.ts'

type LifeInput = UserInput | Partial<User>

/**
 * Checks a user's persona, time zone and providers. The record's schema checks the other options.
 *
 * @throws {MockError} `invalid_option` for an unknown persona, time zone or provider. The message suggests a valid
 * name.
 */
export function checkNames(input: LifeInput, providers: RecordPort['providers']): void {
  const { persona, time_zone, connections = [] }: UserInput = Object(input)
  if (persona !== undefined && !isKnown(personaNames, persona)) {
    throw unknownName('persona', persona, personaNames)
  }
  if (time_zone !== undefined && !isTimeZone(String(time_zone))) {
    throw unknownName('time zone', time_zone, zonesAt(time_zone))
  }
  const wanted = [connections].flat()
  const slugs = wanted.length === 0 ? [] : providers.list().map(({ slug }) => slug)
  const unknown = wanted.findIndex((slug) => !slugs.includes(slug))
  if (unknown !== -1) throw unknownName('provider', wanted[unknown], slugs)
}

/** Returns whether the health data has value ranges for this sex. */
export function isSex(value: unknown): value is NonNullable<User['sex']> {
  return value === 'female' || value === 'male'
}

/** Returns the time zones to suggest: the zones of the same area, or all zones if the area is unknown. */
function zonesAt(zone: unknown): readonly string[] {
  const [area] = String(zone).split('/')
  const names = timeZoneNames()
  const ofArea = names.filter((name) => name.split('/')[0] === area)
  return ofArea.length > 0 ? ofArea : ['+02:00', ...names]
}

function unknownName(what: string, name: unknown, known: readonly string[]): MockError {
  const shown = typeof name === 'string' ? `'${name}'` : String(name)
  const advice = suggestName(String(name), known)
  const list = advice.startsWith('Use one of') ? '' : ` Known: ${known.join(', ')}.`
  return new MockError('invalid_option', `Unknown ${what} ${shown}. ${advice}${list}`)
}

/** The earliest valid date of birth. The value ranges of the health data do not cover people born earlier. */
const firstBirth = '1900-01-01'
const isDate = /^\d{4}-\d{2}-\d{2}$/

/** @throws {MockError} `invalid_option` for an invalid `born` or `info.dob`, or if the two dates differ. */
export function checkBirths({ born, info }: LifeInput, now: number): void {
  const dob = info?.dob
  // Most users have neither.
  if (born === undefined && dob === undefined) return
  const today = new Date(now).toISOString().slice(0, 10)
  const expected = `a date such as '1990-05-17', from ${firstBirth} to ${today}`
  const isBirth = (date: string) =>
    isDate.test(date) && date >= firstBirth && momentOfText(date) <= now
  for (const [name, date] of Object.entries({ born, 'info.dob': dob })) {
    // Messages do not repeat personal data.
    if (date !== undefined && !isBirth(date)) {
      throw new MockError('invalid_option', `Expected ${name} to be ${expected}.`)
    }
  }
  if (born === undefined || dob === undefined || born === dob) return
  throw new MockError(
    'invalid_option',
    'Expected born and info.dob to be the same date of birth. Omit one of them.',
  )
}
