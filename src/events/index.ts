export {
  type ConnectionEvent,
  type DailyDataEvent,
  type DataEventContent,
  type EventProvider,
  type HistoricalDataEvent,
  type HypnogramEvent,
  type KnownEvent,
  type KnownEventType,
  type OtherEvent,
  type OtherEventType,
  otherEventTypes,
  type ResourceAvailability,
  type ServiceEvent,
  type UnknownEvent,
  type UnknownEventType,
} from '../contract/events.ts'
export type { Source } from '../contract/source.ts'
export type { Open, SourceType } from '../contract/values/known-values.ts'
export { type SupportedResource, supportedResources } from '../contract/values/resources.ts'
export type { RawBody } from './body.ts'
export { type Claim, type DedupeStore, memoryStore } from './dedupe.ts'
export { EventError, type EventErrorCode, eventErrorCodes } from './errors.ts'
export { type EventReceiver, eventHandler } from './handler.ts'
export {
  type NodeEventReceiver,
  type NodeRequest,
  type NodeResponse,
  nodeEventHandler,
} from './node.ts'
export { type EventOrigin, isUnknownEvent, parseEvent, recordsOf, sourceOf } from './parse.ts'
export type { EventHandlerOptions, EventListener, EventOf } from './settings.ts'
export {
  type EventHeaders,
  type VerifiedMessage,
  type VerifyOptions,
  verifyEvent,
} from './verify.ts'
