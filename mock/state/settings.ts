import * as z from 'zod/mini'
import { isObject } from '../../src/shared/narrow.ts'
import { MockError } from '../errors.ts'
import { personaNames } from '../living/person/personas.ts'
import { deepFreeze } from '../shared/freeze.ts'
import { isTimeZone } from '../shared/time-zone.ts'
import { bookingOutcomes } from './bookings/outcomes.ts'
import { checkOptions } from './check-options.ts'
import { clockModes } from './clock/clock-modes.ts'
import { spanOf, timeSpanSchema, virtualMoment } from './clock/time.ts'
import type { Settings, TeamOptions } from './defaults.ts'
import { invalidOption, plainCopy } from './plain.ts'
import { countSchema, typed } from './records/schemas.ts'

const payorsByState = z.optional(z.record(z.string(), z.string()))

export const bookingOutcomeSchema = z.strictObject({
  outcome: z.enum(bookingOutcomes),
  after: z.optional(timeSpanSchema),
})

/** The schemas of the settings that `configure` can change. */
const behavior = {
  autoCreateUsers: z.boolean(),
  strictContentType: z.boolean(),
  strictEnumerations: z.boolean(),
  strictPayors: z.boolean(),
  strictInsurance: z.boolean(),
  regionalPayors: z.strictObject({ MEDFED: payorsByState, MAIDFED: payorsByState }),
  linkMigration: z.enum(['enabled', 'disabled']),
  oauthCredentials: z.union([z.literal('all'), z.array(z.string())]),
  importTimePerConnection: timeSpanSchema,
  deleteMissingConnection: z.enum(['not_found', 'success_false']),
  sdkMode: z.enum(['auto_connect', 'explicit']),
  bookingOutcome: bookingOutcomeSchema,
  synchronousBookingTimeout: timeSpanSchema,
  bookingFailure: z.enum(['json', 'text']),
  idempotencyKeys: z.boolean(),
  signInTokenLifetime: timeSpanSchema,
  aggregate: z.boolean(),
  sourcePriority: z.enum(['best_source', 'all_sources']),
  providerPriority: z.array(z.string()),
  living: z.boolean(),
  persona: z.nullable(typed<string>(z.enum(personaNames))),
  generatedData: z.boolean(),
  historicalEvents: z.enum(['data', 'notice']),
  summaryEvents: z.enum(['list', 'record']),
  eventEnvelope: z.enum(['specification', 'extended']),
  deprecatedFields: z.enum(['until_removal', 'always', 'never']),
  journalLimit: countSchema,
  journalBytes: countSchema,
  outboxLimit: countSchema,
  strictResponses: z.boolean(),
} satisfies Record<Exclude<keyof Settings, 'now' | 'clock' | 'timeZone'>, z.ZodMiniType>

/** The schema of all settings. It accepts any `now`, which {@link virtualMoment} checks. */
export const settingsSchema = z.strictObject({
  ...behavior,
  now: z.unknown(),
  clock: z.enum(clockModes),
  timeZone: z
    .string()
    .check(z.refine(isTimeZone, "a time zone such as 'Europe/Berlin' or '+02:00'")),
})

export const behaviorSchema = z.partial(z.strictObject(behavior))

/** The schema of the mock options that are not team options. */
export const mockOptionsSchema = z.object({
  seed: z.unknown().check(z.refine(isSeed, 'a string or a finite number')),
  baseUrl: z.string().check(z.refine(isHttpUrl, "a URL such as 'https://service.test'")),
  autoTeamLimit: z.int().check(z.gte(1)),
})

export const teamKeySchema = z.object({
  apiKey: z.string().check(z.refine(isHeaderValue, 'a string that is valid in an HTTP header')),
})

/**
 * Applies the changes to the settings, and returns the checked and frozen result.
 *
 * @throws {MockError} `invalid_option` for an unknown option or invalid value, or `invalid_time` for an invalid time or
 * time span.
 */
export function mergeSettings(base: Settings, changes: Omit<TeamOptions, 'apiKey'>): Settings {
  if (!isObject(changes)) throw invalidOption('the options', 'an object', changes)
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  const settings: Settings = { ...base, ...plainCopy(Object.fromEntries(given), 'the options') }
  spanOf(settings.importTimePerConnection)
  spanOf(settings.synchronousBookingTimeout)
  spanOf(settings.signInTokenLifetime)
  spanOf(Object(settings.bookingOutcome).after ?? 0)
  checkOptions(settingsSchema, settings, 'options')
  // Store `now` as a string, because a reproduction must be plain JSON.
  return deepFreeze({ ...settings, now: new Date(virtualMoment(settings.now)).toISOString() })
}

/** The options that cannot change after a team is created. */
const initialOptions = ['now', 'clock', 'timeZone'] as const

/**
 * Merges settings like {@link mergeSettings}, for an existing team.
 *
 * @throws {MockError} under the same conditions as {@link mergeSettings}, or `invalid_option` if the changes contain a
 * new value for an option that cannot change.
 */
export function changeSettings(base: Settings, changes: Omit<TeamOptions, 'apiKey'>): Settings {
  const settings = mergeSettings(base, changes)
  const changed = initialOptions.find((name) => settings[name] !== base[name])
  if (changed === undefined) return settings
  throw new MockError(
    'invalid_option',
    `Option '${changed}' cannot be changed after the team is created. Pass it to mock.team(). To change the time, use team.clock.`,
  )
}

function isSeed(value: unknown): boolean {
  return typeof value === 'string' || Number.isFinite(value)
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^/]/i.test(text)
}

function isHeaderValue(text: string): boolean {
  return /^[!-ÿ](?:[\t -ÿ]*[!-ÿ])?$/.test(text)
}
