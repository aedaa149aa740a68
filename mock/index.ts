import { Mock } from './mock.ts'
import type { MockOptions } from './state/defaults.ts'

/**
 * Creates an in-memory service with a catalogue, providers, payors and a default team.
 *
 * @throws {MockError} `invalid_option` for an unknown option or invalid value, or `invalid_time` for an invalid time or
 * time span.
 * @example
 * const mock = createMock({ seed: 42, now: '2025-06-01T09:00:00Z' })
 * const client = new ServiceClient(mock.team().connection())
 */
export function createMock(options: MockOptions = {}): Mock {
  return new Mock(options)
}

export type { OperationResponses } from '../src/contract/endpoints.ts'
export type { OperationId } from '../src/contract/operations.ts'
export type { Difference, StoredRow } from './diagnostics/differences.ts'
export { explainDifference } from './diagnostics/explain-difference.ts'
export { explainTeam } from './diagnostics/explain-team.ts'
export type {
  JournalMatchers,
  MatcherResult,
  ReceivedOptions,
} from './diagnostics/journal-matchers.ts'
export { journalMatchers } from './diagnostics/journal-matchers.ts'
export type { RemoteTeamState } from './diagnostics/remote-team-state.ts'
export type { MockErrorCode } from './errors.ts'
export { MockError } from './errors.ts'
export type { EventBody } from './events/bodies.ts'
export type {
  DeadLetter,
  Delivery,
  DeliveryExchange,
  DeliveryTarget,
  Exchange,
  PlannedDelivery,
} from './events/delivery/deliveries.ts'
export type { DeliveryModes } from './events/delivery/delivery-modes.ts'
export type { WebhookInput } from './events/delivery/webhook-input.ts'
export type { Webhook, Webhooks, WebhooksSnapshot } from './events/delivery/webhooks.ts'
export type { EmittedEvent, Outbox, OutboxSnapshot } from './events/outbox.ts'
export type { EventOverrides, TriggerOptions } from './events/trigger.ts'
export type { ArchiveCorruption, DriftEffect, NamedEffect } from './faults/effect-names.ts'
export type { ConnectionFailure, ExchangeResult } from './faults/effects.ts'
export type { Fault, FaultCondition, FaultEffect, StatusEffect } from './faults/fault.ts'
export type { AddedFault, Faults } from './faults/faults.ts'
export type { OperationPattern } from './faults/operation-pattern.ts'
export type { Fixture, FixtureCatalogue } from './fixtures/fixture.ts'
export type { SeededRecords } from './fixtures/seed.ts'
export type {
  Har,
  HarContent,
  HarCreator,
  HarEntry,
  HarMessage,
  HarPair,
  HarRequest,
  HarResponse,
  HarTimings,
} from './http/journal/har-format.ts'
export type { Journal } from './http/journal/journal.ts'
export type {
  JournalEntry,
  JournalOutcome,
  JournalRequest,
  JournalResponse,
} from './http/journal/journal-entry.ts'
export type { OverridableResponse, Override, OverrideContext } from './http/overrides.ts'
export type { SerializedResponse } from './http/response.ts'
export type { ArrivalsSnapshot } from './living/events/arrivals.ts'
export type { TruthRow } from './living/events/truth.ts'
export type { LivingConnection, LivingUser } from './living/users/living-feeds.ts'
export type { LivingUsersSnapshot } from './living/users/living-users.ts'
export type { Mock } from './mock.ts'
export type { CellValue } from './query/table.ts'
export type { Reproduction } from './snapshot/reproduction.ts'
export type { Snapshot } from './snapshot/snapshot.ts'
export type { Appointments } from './state/bookings/appointments.ts'
export type { BookingKeyOptions } from './state/bookings/booking-keys.ts'
export type { Bookings, BookingsSnapshot } from './state/bookings/bookings.ts'
export type { BookingOutcome } from './state/bookings/outcomes.ts'
export type { TeamClock } from './state/clock/clock.ts'
export type { ClockMode } from './state/clock/clock-modes.ts'
export type { ConnectionClock } from './state/clock/connection-clock.ts'
export type { DueEvent, DueEventType, PendingEvent } from './state/clock/due-queue.ts'
export type { Instant, TimeSpan } from './state/clock/time.ts'
export type { CurrentImport } from './state/collections/bulk-ops.ts'
export type { Change, Collection, CollectionSnapshot } from './state/collections/collection.ts'
export type { Catalogue } from './state/collections/collections.ts'
export type { CompletionOptions, Orders } from './state/collections/orders.ts'
export type { Users } from './state/collections/users.ts'
export type { MockOptions, Settings, TeamOptions } from './state/defaults.ts'
export type { HealthData } from './state/health/health.ts'
export type { Imports } from './state/imports.ts'
export type { BulkImportOp, ImportRun } from './state/records/bulk-ops.ts'
export type { AppointmentInput, CollectionTypes, RecordTypes } from './state/records/definitions.ts'
export type { HealthRow, HealthRowInput } from './state/records/health-rows.ts'
export type { UserInsurance, UserInsuranceInput } from './state/records/insurance.ts'
export type {
  CatalogueLab,
  CatalogueLabTest,
  CatalogueMarker,
  LabAccount,
} from './state/records/lab-tests.ts'
export type { Connection, ConnectionInput, Payor, TeamProvider } from './state/records/link.ts'
export type { LabOrder, LabOrderInput } from './state/records/orders.ts'
export type { KeyParts } from './state/records/record-key.ts'
export type { User, UserInput } from './state/records/users.ts'
export type { Team, TeamConnection } from './team.ts'
