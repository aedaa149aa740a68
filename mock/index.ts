import { Mock } from './mock.ts'
import type { MockOptions } from './state/defaults.ts'

/**
 * Creates the service in memory, with its catalogue, providers and payors, and a default team.
 *
 * @throws {MockError} `invalid_option` for an unknown option or an invalid value; `invalid_time` for an invalid moment
 * or time span.
 * @example
 * const mock = createMock({ seed: 42, now: '2025-06-01T09:00:00Z' })
 * const client = new ServiceClient(mock.team().connection())
 */
export function createMock(options: MockOptions = {}): Mock {
  return new Mock(options)
}

export type { OperationId, OperationPattern, OperationResponses } from './base/operations.ts'
export type { SerializedResponse } from './base/response.ts'
export type { CatalogueLab, CatalogueLabTest, CatalogueMarker } from './data/catalogue.ts'
export type { Payor } from './data/payors.ts'
export type { TeamProvider } from './data/providers.ts'
export type { Difference, StoredRow } from './diagnostics/difference.ts'
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
export type { ArrivalsSnapshot } from './events/arrivals/arrivals.ts'
export type { TruthRow } from './events/arrivals/truth.ts'
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
export type { EventOverrides } from './events/trigger.ts'
export type { ArchiveCorruption, DriftEffect, NamedEffect } from './faults/effect-names.ts'
export type { ConnectionFailure, ExchangeResult } from './faults/effects.ts'
export type { Fault, FaultCondition, FaultEffect, StatusEffect } from './faults/fault.ts'
export type { AddedFault, Faults } from './faults/faults.ts'
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
export type { JournalEntry, JournalRequest, JournalResponse } from './http/journal/journal-entry.ts'
export type { JournalOutcome } from './http/journal/outcomes.ts'
export type { OverridableResponse, Override, OverrideContext } from './http/overrides.ts'
export type { Mock } from './mock.ts'
export type { CellValue } from './query/table.ts'
export type { Reproduction } from './snapshot/reproduction.ts'
export type { Snapshot } from './snapshot/snapshot.ts'
export type { AppointmentInput, Appointments } from './state/bookings/appointments.ts'
export type { BookingKeyOptions } from './state/bookings/booking-keys.ts'
export type { BookingOutcome } from './state/bookings/booking-outcomes.ts'
export type { Bookings, BookingsSnapshot } from './state/bookings/bookings.ts'
export type { TeamClock } from './state/clock/clock.ts'
export type { ClockMode } from './state/clock/clock-modes.ts'
export type { ConnectionClock } from './state/clock/connection-clock.ts'
export type { DueEvent, DueEventType } from './state/clock/due-event.ts'
export type { PendingEvent } from './state/clock/due-queue.ts'
export type { Instant, TimeSpan } from './state/clock/time.ts'
export type { Change, Collection, CollectionSnapshot } from './state/collection.ts'
export type { MockOptions, Settings, TeamOptions } from './state/defaults.ts'
export type { Imports } from './state/imports.ts'
export type { LivingConnection, LivingUser } from './state/living/living-feeds.ts'
export type { LivingUsersSnapshot } from './state/living/living-users.ts'
export type { KeyParts } from './state/record-key.ts'
export type { BulkImportOp, ImportRun } from './state/records/bulk-ops.ts'
export type { HealthData } from './state/records/health/health.ts'
export type { HealthRow, HealthRowInput } from './state/records/health/health-rows.ts'
export type { UserInsurance, UserInsuranceInput } from './state/records/insurance.ts'
export type { Catalogue, LabAccount } from './state/records/lab-tests.ts'
export type { Connection, ConnectionInput } from './state/records/link.ts'
export type { CompletionOptions, LabOrder, LabOrderInput, Orders } from './state/records/orders.ts'
export type { User, UserInput, Users } from './state/records/users.ts'
export type { Team, TeamConnection } from './team.ts'
