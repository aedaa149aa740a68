export { type DurableWrites, durable } from './durable.ts'
export { DurableError, type DurableErrorCode, durableErrorCodes } from './durable-error.ts'
export type { DurableImportOptions, DurableLink } from './imports.ts'
export type { DurableInsurance } from './insurance.ts'
export type { DurableOptions, WriteOptions } from './options.ts'
export type {
  DurableBookingOptions,
  DurableBookingResult,
  DurableOrders,
  DurableRequestOptions,
  EndedDurableBooking,
  UnresolvedDurableBooking,
} from './orders.ts'
export type { DurableImportReport } from './progress.ts'
export type { Decision, UnresolvedWrite } from './resolve.ts'
