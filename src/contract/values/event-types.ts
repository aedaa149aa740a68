import { otherEventTypes } from '../events.ts'
import { supportedResources } from './resources.ts'

const resources: ReadonlySet<string> = new Set(supportedResources)
const others: ReadonlySet<string> = new Set(otherEventTypes)
const dataTypes = /^(?:daily|historical)\.data\.(\w+)\.(created|updated)$/
const hypnogramTypes =
  /^(?:historical\.timeseries\.hypnogram\.created|daily\.timeseries\.hypnogram\.(?:created|updated))$/

/** The family of a type; undefined for one that this version of the package does not know. */
export function familyOf(type: string): 'data' | 'connection' | 'other' | undefined {
  const [, resource = '', change] = dataTypes.exec(type) ?? []
  const isHistory = type.startsWith('historical.')
  if (resources.has(resource) && !(isHistory && change === 'updated')) return 'data'
  if (hypnogramTypes.test(type)) return 'data'
  if (type === 'provider.connection.created') return 'connection'
  return others.has(type) ? 'other' : undefined
}

/** Every type that this version of the package knows. */
export function knownEventTypes(): string[] {
  return [
    ...supportedResources.flatMap((resource) => [
      `daily.data.${resource}.created`,
      `daily.data.${resource}.updated`,
      `historical.data.${resource}.created`,
    ]),
    'historical.timeseries.hypnogram.created',
    'daily.timeseries.hypnogram.created',
    'daily.timeseries.hypnogram.updated',
    'provider.connection.created',
    ...otherEventTypes,
  ]
}
