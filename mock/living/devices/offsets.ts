import { ownValue } from '../../../src/shared/narrow.ts'

const sessionTables: readonly string[] = ['sleep', 'workout']

/**
 * When a provider sends the local time zone (assumption). `sessions`: only in sleep and workouts. `floating`: never,
 * and the provider marks its local times as UTC. Providers that are not listed never send a time zone.
 */
const offsetRules: Readonly<Record<string, 'always' | 'sessions' | 'floating'>> = {
  oura: 'always',
  fitbit: 'always',
  garmin: 'always',
  withings: 'always',
  whoop_v2: 'always',
  polar: 'always',
  dexcom_v3: 'always',
  apple_health_kit: 'always',
  health_connect: 'always',
  strava: 'sessions',
  peloton: 'sessions',
  eight_sleep: 'sessions',
  freestyle_libre: 'floating',
  abbott_libreview: 'floating',
}

/** Returns the time zone that a provider sends in a table or time series, or null if the provider sends none. */
export function zoneCell(provider: string, table: string, zone: string): string | null {
  const rule = ruleOf(provider)
  const sendsZone = rule === 'always' || (rule === 'sessions' && sessionTables.includes(table))
  return sendsZone ? zone : null
}

export function isFloating(provider: string): boolean {
  return ruleOf(provider) === 'floating'
}

function ruleOf(provider: string) {
  return ownValue(offsetRules, provider)
}
