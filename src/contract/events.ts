import type { Appointment } from './appointments.ts'
import type { Order, OrderResult } from './orders.ts'
import type { Source } from './source.ts'
import type {
  connectionEventType,
  DailyDataEventType,
  HistoricalDataEventType,
  HypnogramEventType,
  OtherEventType,
} from './values/event-types.ts'
import type { Open } from './values/known-values.ts'
import type { SupportedResource } from './values/resources.ts'

// Events have no schemas, to keep receivers small. `parseEvent` checks the required fields.

/** The fields that all events share (specification part 6). */
interface Envelope<Type extends string> {
  /** The event's type, such as `daily.data.sleep.created`. */
  event_type: Type
  /** The user's id, a UUID. */
  user_id: string
  /** Additional envelope fields that the specification does not define. */
  [field: string]: unknown
}

/** The content of a data event: its values and their source. */
export interface DataEventContent {
  /** The time series values or summary records, in one of several shapes. `recordsOf` extracts them. */
  data?: unknown
  /** The data's source. `sourceOf` reads the current fields and falls back to the deprecated ones. */
  source?: Source | null | undefined
  /** @deprecated Historical events are already final (specification part 9; removal on or after 30 June 2024). */
  is_final?: boolean | null | undefined
  /** Additional content fields that the specification does not define. */
  [field: string]: unknown
}

/** Reports new or changed data for a resource. */
export interface DailyDataEvent<Resource extends SupportedResource = SupportedResource>
  extends Envelope<DailyDataEventType<Resource>> {
  /** The values and their source. */
  data: DataEventContent
}

/** Reports a completed historical pull. Sent once per resource, after all of its data has been fetched. */
export interface HistoricalDataEvent<Resource extends SupportedResource = SupportedResource>
  extends Envelope<HistoricalDataEventType<Resource>> {
  /** The values and their source. */
  data: DataEventContent
}

/**
 * Reports hypnogram values.
 *
 * @deprecated Use the `sleep_cycle` events (specification part 9; removal on or after 31 January 2025).
 */
export interface HypnogramEvent extends Envelope<HypnogramEventType> {
  /** The values and their source. */
  data: DataEventContent
}

/** A provider in an event. */
export interface EventProvider {
  /** The provider's display name. */
  name?: string | null | undefined
  /** The provider's identifier, such as `oura`. */
  slug: string
  /** The logo's URL. */
  logo?: string | null | undefined
}

/** A resource's availability through a connection (shape assumed). */
export interface ResourceAvailability {
  /** Whether the connection provides the resource. */
  status?: Open<'available' | 'unavailable'> | null | undefined
  /** The OAuth scopes that the resource requires; the shape is not specified. */
  scope_requirements?: unknown
}

/** Reports a new provider connection. */
export interface ConnectionEvent extends Envelope<typeof connectionEventType> {
  /** The connected provider and its resources. */
  data: {
    /** The user's id (a UUID), as in the envelope. */
    user_id?: string | null | undefined
    /** The connected provider. Older events contain `source` instead; `sourceOf` reads both. */
    provider?: EventProvider | null | undefined
    /** Each resource's availability, keyed by resource name. */
    resource_availability?: Record<string, ResourceAvailability> | null | undefined
    /** @deprecated Use `provider` (specification part 9; removal on or after 31 July 2024). */
    source?: EventProvider | null | undefined
    /** Additional, unspecified fields. */
    [field: string]: unknown
  }
}

/** Assumed content: fields may be missing, extra fields may be present, and no field is checked. */
type Assumed<Content> = Partial<Content> & { [field: string]: unknown }

/** Reports a new or changed lab order (type and content assumed). */
export interface LabOrderEvent
  extends Envelope<Extract<OtherEventType, `labtest.order.${string}`>> {
  /** The order (fields assumed). */
  data: Assumed<Order>
}

/** Reports a new or changed appointment for a lab order (type and content assumed). */
export interface LabAppointmentEvent
  extends Envelope<Extract<OtherEventType, `labtest.appointment.${string}`>> {
  /** The appointment (fields assumed). */
  data: Assumed<Appointment>
}

/** Lab order results that need immediate attention. */
export interface CriticalResults {
  /** The lab order's id, a UUID. */
  order_id: string
  /** The user's id (a UUID), as in the envelope. */
  user_id: string
  /** The critical results. */
  results: OrderResult[]
}

/** Reports a lab order's critical results (type and content assumed). */
export interface CriticalResultEvent
  extends Envelope<Extract<OtherEventType, 'labtest.result.critical'>> {
  /** The critical results, with the ids of their order and user. */
  data: Assumed<CriticalResults>
}

/** A failed connection and its error. */
export interface ConnectionFailureContent {
  /** The user's id (a UUID), as in the envelope. */
  user_id: string
  /** The provider, or only its slug. */
  provider: EventProvider | string
  /** The kind of error, such as `token_refresh_failed`. */
  error_type: string
  /** The error message. */
  error_message: string | null
  /** The error message, sent instead of `error_message` if `provider` is a string. */
  message: string | null
  /** Details from the provider; their format is not specified. */
  error_details: unknown
}

/** Reports a failed connection (type and content assumed). */
export interface ConnectionErrorEvent
  extends Envelope<Extract<OtherEventType, 'provider.connection.error'>> {
  /** The connection and its error. */
  data: Assumed<ConnectionFailureContent>
}

/** A user's device. */
export interface DeviceContent {
  /** The device's id, a UUID. */
  id: string
  /** The user's id (a UUID), as in the envelope. */
  user_id: string
  /** The device's provider. */
  provider: EventProvider
  /** The device's display name. */
  name: string
  /** When the device last synced, in ISO 8601. */
  last_sync_at: string | null
}

/** Reports a new or changed device (type and content assumed). */
export interface DeviceEvent
  extends Envelope<Extract<OtherEventType, `provider.device.${string}`>> {
  /** The device (fields assumed). */
  data: Assumed<DeviceContent>
}

/** An event whose type and content are assumed, not specified. */
export type OtherEvent =
  | LabOrderEvent
  | LabAppointmentEvent
  | CriticalResultEvent
  | ConnectionErrorEvent
  | DeviceEvent

/** An event whose type is unknown to this version of the package. */
export interface UnknownEvent {
  /** Any string that is not a known type. */
  event_type: UnknownEventType
  /** The user's id, not validated. In events of known types, it is a UUID. */
  user_id?: unknown
  /** The content, unchecked. */
  data?: unknown
  /** Fields unknown to this version of the package. */
  [field: string]: unknown
}
/**
 * The type of an {@link UnknownEvent}: any string other than the known types. Declared as an enum so that comparing
 * `event_type` with a known type narrows to the known event.
 */
export declare enum UnknownEventType {
  String = 'any other string',
}

/** One type per resource, so checking `event_type` narrows to one resource's event. */
type DataEvents = {
  [Resource in SupportedResource]: DailyDataEvent<Resource> | HistoricalDataEvent<Resource>
}[SupportedResource]

/** An event of a known type. Check `event_type` to narrow it. */
export type KnownEvent = DataEvents | HypnogramEvent | ConnectionEvent | OtherEvent

/** The type of a {@link KnownEvent}. */
export type KnownEventType = KnownEvent['event_type']

/** Any event that the service may send. Check `event_type` to narrow it. */
export type ServiceEvent = KnownEvent | UnknownEvent
