import * as z from 'zod/mini'
import { editDistance, suggestName } from '../../../src/contract/schema/nearest.ts'
import { isTimeZone, timeZoneNames } from '../../base/time-zone.ts'
import { MockError } from '../../errors.ts'
import { personaNames } from '../../life/person/personas.ts'
import { invalidOption } from '../plain.ts'

const datePattern = /^\d{4}-\d{2}-\d{2}$/

/** The schemas of how a user lives. */
export const lifeSchemas = {
  persona: z.optional(z.enum(personaNames)),
  time_zone: z.optional(z.string().check(z.refine(isTimeZone, 'a time zone'))),
  born: z.optional(z.string().check(z.regex(datePattern))),
}

/** What a test can say about the life of a user. */
interface LifeInput {
  persona?: string
  time_zone?: string
  born?: string
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
 * @throws {MockError} `invalid_option` for an unknown persona, time zone or provider, or an invalid date of birth.
 */
export function checkLife(input: LifeInput, { clock, providers }: LifeContext): void {
  const { persona, time_zone, born, connections, living } = input
  if (persona !== undefined) checkName('persona', persona, personaNames)
  if (time_zone !== undefined) checkZone(time_zone)
  if (born !== undefined) checkBirth(born, clock.moment)
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

function checkZone(zone: unknown): void {
  if (typeof zone === 'string' && isTimeZone(zone)) return
  const similar = typeof zone === 'string' ? similarZones(zone) : []
  const advice = similar.length === 0 ? '' : ` Did you mean ${similar.join(' or ')}?`
  throw new MockError(
    'invalid_option',
    `Unknown time zone ${shown(zone)}.${advice} Use an IANA name such as Europe/Berlin, or an offset such as +02:00.`,
  )
}

/** Returns up to three names that are similar, or whose city is. */
function similarZones(zone: string): string[] {
  const name = zone.toLowerCase().replaceAll(' ', '_')
  const distance = (known: string) =>
    Math.min(editDistance(name, known), editDistance(name, known.split('/').at(-1) ?? ''))
  return timeZoneNames()
    .map((known) => ({ known, typos: distance(known.toLowerCase()) }))
    .filter(({ typos }) => typos <= 2)
    .sort((one, other) => one.typos - other.typos)
    .slice(0, 3)
    .map(({ known }) => known)
}

function checkName(what: string, name: unknown, known: readonly string[]): void {
  if (typeof name === 'string' && known.includes(name)) return
  const advice = suggestName(String(name), known)
  const list = advice.startsWith('Use one of') ? '' : ` Known: ${known.join(', ')}.`
  throw new MockError('invalid_option', `Unknown ${what} ${shown(name)}. ${advice}${list}`)
}

function shown(name: unknown): string {
  return typeof name === 'string' ? `'${name}'` : String(name)
}

function checkBirth(born: unknown, now: number): void {
  const text = typeof born === 'string' && datePattern.test(born) ? born : ''
  const moment = Date.parse(`${text}T00:00:00Z`)
  // Some engines read the 30th of February as the 2nd of March.
  const isDate = !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text)
  if (isDate && moment <= now) return
  const today = new Date(now).toISOString().slice(0, 10)
  throw invalidOption('born', `a date such as '1990-05-17', at the latest ${today}`, born)
}
