import { type SupportedResource, supportedResources } from './resources.ts'

/** The types of a resource's daily events (specification part 6). */
export type DailyDataEventType<Resource extends SupportedResource = SupportedResource> =
  | `daily.data.${Resource}.created`
  | `daily.data.${Resource}.updated`

/** The event type for a completed historical pull of a resource (specification part 6). */
export type HistoricalDataEventType<Resource extends SupportedResource = SupportedResource> =
  `historical.data.${Resource}.created`

/** The event type for a new connection (specification part 6). */
export const connectionEventType = 'provider.connection.created'

/** The deprecated hypnogram events (specification part 9). */
export const hypnogramEventTypes = [
  'historical.timeseries.hypnogram.created',
  'daily.timeseries.hypnogram.created',
  'daily.timeseries.hypnogram.updated',
] as const
/** One of {@link hypnogramEventTypes}. */
export type HypnogramEventType = (typeof hypnogramEventTypes)[number]

/** The assumed event types for lab orders, appointments, critical results, failed connections and devices. */
export const otherEventTypes = [
  'labtest.order.created',
  'labtest.order.updated',
  'labtest.appointment.created',
  'labtest.appointment.updated',
  'labtest.result.critical',
  'provider.connection.error',
  'provider.device.created',
  'provider.device.updated',
] as const
/** One of {@link otherEventTypes}. */
export type OtherEventType = (typeof otherEventTypes)[number]

function dataEventTypes<Resource extends SupportedResource>(
  resource: Resource,
): (DailyDataEventType<Resource> | HistoricalDataEventType<Resource>)[] {
  return [
    `daily.data.${resource}.created`,
    `daily.data.${resource}.updated`,
    `historical.data.${resource}.created`,
  ]
}

/** The kind of event: health data, a new connection, or an assumed type. */
export type EventFamily = 'data' | 'connection' | 'other'

const families: ReadonlyMap<string, EventFamily> = /* @__PURE__ */ listFamilies()

function listFamilies(): Map<string, EventFamily> {
  return new Map<string, EventFamily>([
    ...supportedResources.flatMap(dataEventTypes).map((type) => [type, 'data'] as const),
    ...hypnogramEventTypes.map((type) => [type, 'data'] as const),
    [connectionEventType, 'connection'],
    ...otherEventTypes.map((type) => [type, 'other'] as const),
  ])
}

export const knownEventTypes: readonly string[] = /* @__PURE__ */ Array.from(families.keys())

/** Returns an event type's family, or undefined for a type unknown to this version of the package. */
export function familyOf(type: string): EventFamily | undefined {
  return families.get(type)
}
