import { MockError } from '../errors.ts'
import { checkOutcome } from './bookings.ts'
import { clockModes } from './clock-modes.ts'
import { defaults, type Settings, type TeamOptions } from './defaults.ts'
import { formatValue, plainCopy } from './plain.ts'
import { momentOf, spanOf } from './time.ts'

/**
 * Returns settings with some replaced.
 *
 * @throws {MockError} `invalid_option` or `invalid_time` for an option that there is not, or a value it cannot have.
 */
export function settingsOf(base: Settings, options: TeamOptions): Settings {
  const { apiKey: _, ...changes } = options
  for (const name of Object.keys(changes)) {
    if (Object.hasOwn(defaults, name)) continue
    throw new MockError(
      'invalid_option',
      `There is no option '${name}'. Expected one of ${Object.keys(defaults).join(', ')}.`,
    )
  }
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  const settings: Settings = { ...base, ...plainCopy(Object.fromEntries(given), 'the options') }
  checkSettings(settings)
  // Plain values, so that a reproduction can carry them.
  return { ...settings, now: new Date(momentOf(settings.now)).toISOString() }
}

/** Options with a closed set of values. */
const choices: Partial<Record<keyof Settings, readonly string[]>> = {
  clock: clockModes,
  linkMigration: ['enabled', 'disabled'],
  deleteUnconnected: ['not_found', 'success_false'],
  sdkMode: ['auto_connect', 'explicit'],
  bookingFailure: ['json', 'text'],
  deprecatedFields: ['until_removal', 'always', 'never'],
}

function checkSettings(settings: Settings): void {
  spanOf(settings.importTimePerConnection)
  spanOf(settings.synchronousBookingTimeout)
  spanOf(settings.signInTokenLifetime)
  checkOutcome(settings.bookingOutcome)
  for (const [name, value] of Object.entries(settings)) {
    const expected = expectedOf(name as keyof Settings, value)
    if (expected === undefined) continue
    throw new MockError(
      'invalid_option',
      `Expected ${name} to be ${expected}, but got ${formatValue(value)}.`,
    )
  }
}

/** What an option should be; undefined when it is. */
function expectedOf(name: keyof Settings, value: unknown): string | undefined {
  const values = choices[name]
  if (values) return values.some((choice) => choice === value) ? undefined : values.join(' or ')
  const kind = typeof defaults[name]
  if (kind === 'boolean') return typeof value === kind ? undefined : 'true or false'
  if (kind === 'number') return isCount(value) ? undefined : 'a whole number from 0'
  if (name === 'oauthCredentials') {
    const isFine = value === 'all' || (Array.isArray(value) && value.every(isText))
    return isFine ? undefined : "'all' or a list of provider slugs"
  }
  if (name !== 'regionalPayors') return undefined
  return isPayorTable(value) ? undefined : '{ MEDFED?, MAIDFED? }, each with payor codes by state'
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isPayorTable(value: unknown): boolean {
  if (!isObject(value)) return false
  return Object.entries(value).every(
    ([plan, codes]) =>
      (plan === 'MEDFED' || plan === 'MAIDFED') &&
      (codes === undefined || (isObject(codes) && Object.values(codes).every(isText))),
  )
}
