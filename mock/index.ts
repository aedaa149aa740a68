import type { MockOptions } from './defaults.ts'
import { Mock } from './mock.ts'

/**
 * Creates the service in memory, with its catalogue, providers and payors, and a default team.
 *
 * @throws {MockError} `invalid_option` for an option that there is not.
 * @example
 * const mock = createMock({ seed: 42, now: '2025-06-01T09:00:00Z' })
 * const client = new ServiceClient(mock.team().connection())
 */
export function createMock(options: MockOptions = {}): Mock {
  return new Mock(options)
}

export type { WrittenAnswer } from './answer.ts'
export type { AppointmentInput, Appointments } from './appointments.ts'
export type { Bookings, BookingsSnapshot } from './bookings.ts'
export type { Clock, ClockMode, PendingEvent } from './clock.ts'
export type { Change, Collection, CollectionSnapshot, KeyParts } from './collection.ts'
export type { BookingOutcome, MockOptions, Settings, TeamOptions } from './defaults.ts'
export type { DueEvent, DueEventType } from './due-event.ts'
export type { Exchange } from './effects.ts'
export type { MockErrorCode } from './errors.ts'
export { MockError } from './errors.ts'
export type {
  AddedFault,
  ArchiveCorruption,
  Drift,
  Fault,
  FaultCondition,
  FaultEffect,
  Faults,
  StatusEffect,
} from './faults.ts'
export type { CatalogueLab, CatalogueLabTest, CatalogueMarker } from './generate/catalogue.ts'
export type { EventBody } from './generate/events.ts'
export type { Har, HarEntry, HarPair } from './har.ts'
export type { BulkImportOp, ImportRun, Imports } from './imports.ts'
export type { Journal, JournalAnswer, JournalEntry, JournalRequest } from './journal.ts'
export type { Mock } from './mock.ts'
export type { OperationAnswers, OperationId, OperationPattern } from './operations.ts'
export type { EmittedEvent, Outbox, OutboxSnapshot } from './outbox.ts'
export type { OverridableAnswer, Override, OverrideContext } from './overrides.ts'
export type { CellValue } from './query/table.ts'
export type {
  DeadLetter,
  Delivery,
  DeliveryModes,
  DeliveryTarget,
  WebhookInput,
} from './receiver.ts'
export type { HealthData, HealthRow, HealthRowInput } from './records/health.ts'
export type { UserInsurance, UserInsuranceInput } from './records/insurance.ts'
export type { LabAccount } from './records/lab-tests.ts'
export type { Connection, ConnectionInput, Payor, TeamProvider } from './records/link.ts'
export type { LabOrder, LabOrderInput, Orders } from './records/orders.ts'
export type { User, UserInput } from './records/users.ts'
export type { Snapshot } from './snapshot.ts'
export type { Reproduction, Team, TeamConnection } from './team.ts'
export type { Instant, TimeSpan } from './time.ts'
export type { EventOverrides } from './trigger.ts'
export type { Webhook, Webhooks, WebhooksSnapshot } from './webhooks.ts'
