export type { Appointment } from '../contract/appointments.ts'
export type {
  ConnectionErrorEvent,
  ConnectionEvent,
  ConnectionFailureContent,
  CriticalResultEvent,
  CriticalResults,
  DailyDataEvent,
  DataEventContent,
  DeviceContent,
  DeviceEvent,
  EventProvider,
  HistoricalDataEvent,
  HypnogramEvent,
  KnownEvent,
  KnownEventType,
  LabAppointmentEvent,
  LabOrderEvent,
  OtherEvent,
  ResourceAvailability,
  ServiceEvent,
  UnknownEvent,
  UnknownEventType,
} from '../contract/events.ts'
export type { Order, OrderResult } from '../contract/orders.ts'
export type {
  BloodPressureSample,
  InsulinInjectionSample,
  NoteSample,
  NumberSample,
  Sample,
  TemperatureSample,
  WorkoutDurationSample,
} from '../contract/samples.ts'
export type { Source } from '../contract/source.ts'
export {
  type DailyDataEventType,
  type HistoricalDataEventType,
  type HypnogramEventType,
  hypnogramEventTypes,
  type OtherEventType,
  otherEventTypes,
} from '../contract/values/event-types.ts'
export type { Open, SourceType } from '../contract/values/known-values.ts'
export { type SupportedResource, supportedResources } from '../contract/values/resources.ts'
export { type SampledResource, type SampleForm, sampleForms } from '../contract/values/samples.ts'
export type { RawBody } from './body.ts'
export { type Claim, type DedupeStore, memoryStore, type TransactionalStore } from './dedupe.ts'
export type { DeliveryResult } from './deduplicator.ts'
export { EventError, type EventErrorCode, eventErrorCodes } from './errors.ts'
export { type EventReceiver, eventHandler } from './handler.ts'
export {
  type NodeEventReceiver,
  type NodeRequest,
  type NodeResponse,
  nodeEventHandler,
} from './node.ts'
export { type EventOrigin, isUnknownEvent, parseEvent, recordsOf, sourceOf } from './parse.ts'
export type {
  DeliveryOptions,
  DeliveryReport,
  EventHandlerOptions,
  EventListener,
  EventOf,
  TransactionHandlerOptions,
} from './settings.ts'
export { type SignedEvent, type SignOptions, signEvent } from './sign.ts'
export {
  type EventHeaders,
  type VerifiedMessage,
  type VerifyOptions,
  verifyEvent,
} from './verify.ts'
