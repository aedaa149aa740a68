import type { LivingPerson } from '../person/life.ts'
import type { Persona } from '../person/persona.ts'
import { kindOf } from './device-kinds.ts'
import type { Device } from './device-record.ts'

/** The default providers: a ring, a watch, a scale and a food diary. */
const usualProviders: readonly string[] = ['oura', 'garmin', 'withings', 'my_fitness_pal_v2']

const providersByPersona: Readonly<Record<string, readonly string[]>> = {
  athlete: ['garmin', 'whoop_v2', 'strava', 'withings', 'my_fitness_pal_v2'],
  shift_worker: ['fitbit', 'apple_health_kit', 'withings'],
  new_parent: ['oura', 'apple_health_kit'],
  type_1_diabetic: ['dexcom_v3', 'garmin', 'withings', 'my_fitness_pal_v2'],
  pregnancy: ['oura', 'apple_health_kit', 'withings'],
  older_adult: ['omron', 'health_connect'],
}

export function providersOf({ name }: Persona): readonly string[] {
  return Object.hasOwn(providersByPersona, name)
    ? (providersByPersona[name] ?? usualProviders)
    : usualProviders
}

/** Returns one device per provider. Only the last device reports the profile. */
export function devicesOf(
  person: LivingPerson,
  connections: readonly string[] = providersOf(person.persona),
): readonly Device[] {
  return connections.map((provider, at) => {
    const device = deviceOf(person, provider)
    const resources = device.resources.filter((resource) => resource !== 'profile')
    return at === connections.length - 1 ? device : { ...device, resources }
  })
}

/** Returns a provider's device. If `resource` is given, the device's resources include it. */
export function deviceOf(person: LivingPerson, provider: string, resource?: string): Device {
  const { type, tables, series } = kindOf(provider)
  const sampled = Object.keys(series).filter((name) => personalSeries[name]?.(person) ?? true)
  const profile = type === 'lab' ? [] : ['profile']
  const measured = new Set([...profile, ...tables, ...sampled])
  if (resource !== undefined) measured.add(resource)
  const id = person.random.fork(`device/${provider}`).uuid()
  return { id, provider, type, resources: [...measured] }
}

const personalSeries: Readonly<Record<string, (person: LivingPerson) => boolean>> = {
  basal_body_temperature: ({ sex }) => sex === 'female',
  insulin_injection: ({ persona }) => persona.isDiabetic === true,
}
