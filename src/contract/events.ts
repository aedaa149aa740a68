import type { Source } from './source.ts'
import type { Open } from './values/known-values.ts'
import type { SupportedResource } from './values/resources.ts'

/**
 * The events of part 6, with the further types of the gaps. They have no schemas: a receiver stays small, and asks of an
 * event no more than `parseEvent` does.
 */

/** What every event carries (specification part 6). */
interface Envelope<Type extends string> {
  event_type: Type
  /** A UUID. */
  user_id: string
  /** Further fields of the envelope. */
  [field: string]: unknown
}

/** The content of a data event: its values, and where they come from. */
export interface DataEventContent {
  /** Time series values or summary records; `recordsOf` reaches them in every shape that the service sends. */
  data?: unknown
  /** Where the data comes from; `sourceOf` reads its current fields and falls back to the deprecated ones. */
  source?: Source | null | undefined
  /** @deprecated An event is final as it is (specification part 9; removal from 30 June 2024). */
  is_final?: boolean | null | undefined
  /** Further fields of the content. */
  [field: string]: unknown
}

/** New or changed data values of a resource. */
export interface DailyDataEvent<Resource extends SupportedResource = SupportedResource>
  extends Envelope<`daily.data.${Resource}.created` | `daily.data.${Resource}.updated`> {
  data: DataEventContent
}

/** All data of a resource has been fetched: sent once for each resource after the last chunk. */
export interface HistoricalDataEvent<Resource extends SupportedResource = SupportedResource>
  extends Envelope<`historical.data.${Resource}.created`> {
  data: DataEventContent
}

/** @deprecated Use the events of the sleep_cycle summary (specification part 9; removal from 31 January 2025). */
export interface HypnogramEvent
  extends Envelope<
    | 'historical.timeseries.hypnogram.created'
    | 'daily.timeseries.hypnogram.created'
    | 'daily.timeseries.hypnogram.updated'
  > {
  data: DataEventContent
}

/** A provider, as a connection event tells it. */
export interface EventProvider {
  name?: string | null | undefined
  slug: string
  logo?: string | null | undefined
}

/** Whether a resource is available from a connection (shape as presumed). */
export interface ResourceAvailability {
  status?: Open<'available' | 'unavailable'> | null | undefined
  scope_requirements?: unknown
}

/** A provider connection now exists. */
export interface ConnectionEvent extends Envelope<'provider.connection.created'> {
  data: {
    user_id?: string | null | undefined
    /** Absent from older events, which have `source` in its place; `sourceOf` reads either. */
    provider?: EventProvider | null | undefined
    /** By resource. */
    resource_availability?: Record<string, ResourceAvailability> | null | undefined
    /** @deprecated Use `provider` (specification part 9; removal from 31 July 2024). */
    source?: EventProvider | null | undefined
    [field: string]: unknown
  }
}

/** Lab orders, appointments, critical results, and devices (types as presumed). */
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

/** An event of a type whose content is presumed only. */
export interface OtherEvent extends Envelope<OtherEventType> {
  data: Record<string, unknown>
}

/** An event of a type that this version of the package does not know. */
export interface UnknownEvent {
  event_type: UnknownEventType
  user_id?: unknown
  data?: unknown
  [field: string]: unknown
}
/**
 * The type of an {@link UnknownEvent}: a text that is none of the known ones. It is an enumeration for the compiler only,
 * for of all kinds of text that alone is never taken for another one.
 */
export declare enum UnknownEventType {
  Text = 'any text',
}

/** The events of each resource, one by one, so that their types tell them apart. */
type DataEvents = {
  [Resource in SupportedResource]: DailyDataEvent<Resource> | HistoricalDataEvent<Resource>
}[SupportedResource]

/** An event of a known type; `event_type` tells which. */
export type KnownEvent = DataEvents | HypnogramEvent | ConnectionEvent | OtherEvent

/** The type of a {@link KnownEvent}. */
export type KnownEventType = KnownEvent['event_type']

/** Whatever the service may send; `event_type` tells which. */
export type ServiceEvent = KnownEvent | UnknownEvent
