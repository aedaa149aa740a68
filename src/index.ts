export {
  column,
  count,
  dateTrunc,
  groupKey,
  max,
  mean,
  median,
  min,
  newest,
  oldest,
  past,
  query,
  stddev,
  sum,
  type WhereValue,
  where,
} from './client/aggregate/build-query.ts'
export type { UserResult } from './client/aggregate/query-each.ts'
export type { QueryEachOptions, QueryEachProgress } from './client/aggregate/query-each-options.ts'
export type {
  AggregateValue,
  Aggregation,
  AnyQuery,
  BuiltQuery,
  ColumnsOf,
  GroupKey,
  QueriesRequest,
  QueriesResult,
  QueryBuilder,
  Resource,
  Selection,
  TableOf,
} from './client/aggregate/query-types.ts'
export { columns, rows } from './client/aggregate/tables.ts'
export type {
  BookAndWaitOptions,
  BookingResult,
  EndedBooking,
  SeenAppointment,
  UnresolvedBooking,
} from './client/appointments/booking-options.ts'
export type { AppointmentWaitOptions, BookingTimes } from './client/appointments/wait-options.ts'
export type { BulkImportAllOptions } from './client/bulk-import/import-options.ts'
export { remainingRanges } from './client/bulk-import/ranges.ts'
export type {
  BulkImportCheckpoint,
  BulkImportFailure,
  BulkImportProgress,
  BulkImportReport,
  BulkImportResult,
  BulkImportStop,
  RecipeOutcome,
  RecipeRange,
} from './client/bulk-import/report.ts'
export type { Call, ResponseInfo, WithResponse } from './client/call.ts'
export { ServiceClient } from './client/client.ts'
export type { ClientClock } from './client/clock.ts'
export type { Download } from './client/download/download.ts'
export { AbortError } from './client/errors/abort-error.ts'
export { ApiError } from './client/errors/api-error.ts'
export { ConnectionError, TimeoutError } from './client/errors/connection-errors.ts'
export {
  type ApiErrorCode,
  type ArchiveErrorCode,
  type PaginationErrorCode,
  type ServiceErrorCode,
  serviceErrorCodes,
} from './client/errors/error-codes.ts'
export {
  type Attempt,
  type ErrorFacts,
  type Outcome,
  ServiceError,
} from './client/errors/service-error.ts'
export {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  UnprocessableEntityError,
} from './client/errors/status-errors.ts'
export {
  RequestValidationError,
  ResponseValidationError,
} from './client/errors/validation-errors.ts'
export type { ExtraHeaders } from './client/headers.ts'
export type {
  DeprecationEvent,
  DriftEvent,
  EndEvent,
  HookEvent,
  Hooks,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
} from './client/hooks.ts'
export { idempotencyKeyOf } from './client/idempotency-key.ts'
export type { Logger, LogLevel } from './client/logger.ts'
export type { ClientOptions } from './client/options/client-options.ts'
export type { CreateOrderOptions } from './client/options/create-order-options.ts'
export type { RequestOptions, Validation } from './client/options/request-options.ts'
export type { LinkedPage, PageLinks } from './client/pagination/linked-page.ts'
export type { ListOptions } from './client/pagination/list-pages.ts'
export type { PageCall, ToArrayOptions } from './client/pagination/page-call.ts'
export { PaginationError } from './client/pagination/pagination-error.ts'
export type { RawRequestOptions } from './client/raw-request.ts'
export type { AggregateApi } from './client/resources/aggregate.ts'
export type { InsuranceApi } from './client/resources/insurance.ts'
export type { LabTestsApi } from './client/resources/lab-tests.ts'
export type { LinkApi } from './client/resources/link.ts'
export type { OrdersApi } from './client/resources/orders.ts'
export type { SummariesApi } from './client/resources/summaries.ts'
export type { UsersApi } from './client/resources/users.ts'
export type { QueryValue, QueryValues } from './client/url.ts'
export type {
  AggregateRequest,
  AggregateResult,
  AggregateTable,
  AggregationItem,
  AggregationResult,
  ColumnGroup,
  ColumnItem,
  ColumnReference,
  DateTruncGroup,
  Duration,
  GroupByItem,
  GroupKeyItem,
  Query,
  QueryConfig,
  RelativeTimeframe,
  SelectItem,
} from './contract/aggregate.ts'
export type {
  Appointment,
  AppointmentEvent,
  BookingInput,
  LngLat,
  USAddress,
} from './contract/appointments.ts'
export type { CompanyDetails, Insurance, InsuranceInput } from './contract/insurance.ts'
export type {
  Lab,
  LabTest,
  LabTestPage,
  LabTestQuery,
  OrderSet,
  OrderSetAddOn,
} from './contract/lab-tests.ts'
export type {
  BulkImportInput,
  BulkOp,
  BulkOpPage,
  BulkOpQuery,
  ConnectionRecipe,
  DeletedConnection,
  Provider,
  ProviderQuery,
} from './contract/link.ts'
export type {
  ExpectedResult,
  Loinc,
  Marker,
  MarkerPage,
  MarkerPaging,
  MarkerQuery,
  TestMarkerPage,
  TestMarkerQuery,
} from './contract/markers.ts'
export type { OperationId } from './contract/operations.ts'
export { type Operation, operations, type RetryableFailure } from './contract/operations.ts'
export type {
  CreatedOrder,
  Order,
  OrderDetails,
  OrderedLabTest,
  OrderInput,
  OrderResult,
  OrderStep,
  PatientAddress,
  PatientDetails,
} from './contract/orders.ts'
export type {
  Guarantor,
  GuarantorDetails,
  InsuranceAddress,
  InsuranceAddressInput,
  Person,
  PersonDetails,
} from './contract/people.ts'
export type { Issue } from './contract/schema-tools/check.ts'
export type { Deprecation, Effect, Method } from './contract/schema-tools/endpoint.ts'
export type { Source } from './contract/source.ts'
export type { ProfileQuery, SummaryQuery, SummaryResponses } from './contract/summaries.ts'
export type { ActivityHeartRate, ActivitySummary } from './contract/summary-records/activity.ts'
export type { BodySummary } from './contract/summary-records/body.ts'
export type {
  MealEnergy,
  MealFats,
  MealMacros,
  MealMicros,
  MealSummary,
  Nutrients,
} from './contract/summary-records/meal.ts'
export type { ProfileSummary } from './contract/summary-records/profile.ts'
export type { SleepSummary } from './contract/summary-records/sleep.ts'
export type { Summary } from './contract/summary-records/summary.ts'
export type { Sport, WorkoutSummary } from './contract/summary-records/workout.ts'
export type {
  SignInToken,
  UserAddress,
  UserAddressInput,
  UserInfo,
  UserInfoInput,
} from './contract/users.ts'
export { isLabName } from './contract/values/bounds.ts'
export {
  type AggregateColumn,
  type AggregateResource,
  aggregateColumns,
  timeseriesColumns,
} from './contract/values/columns.ts'
export {
  type AggregationFunction,
  type AppointmentEventStatus,
  type AppointmentProvider,
  type AppointmentStatus,
  type AppointmentType,
  aggregationFunctions,
  appointmentEventStatuses,
  appointmentProviders,
  appointmentStatuses,
  appointmentTypes,
  type BulkOpStatus,
  bulkOpStatuses,
  type Ethnicity,
  ethnicities,
  type GenderIdentity,
  genderIdentities,
  type InsuranceRelationship,
  inferredPayorCodes,
  insuranceRelationships,
  isKnown,
  type MarkerType,
  markerTypes,
  type Open,
  type ProviderAuthType,
  providerAuthTypes,
  type Race,
  races,
  type SexualOrientation,
  type SourceType,
  type SummaryResource,
  sexualOrientations,
  sourceTypes,
  summaryResources,
  type TimeUnit,
  timeUnits,
} from './contract/values/known-values.ts'
export {
  type BulkImportProvider,
  bulkImportProviders,
  type ConnectionProvider,
  connectionProviders,
} from './contract/values/providers.ts'
export type { ColumnType } from './contract/values/resources.ts'
export { type SupportedResource, supportedResources } from './contract/values/resources.ts'
export type { ParquetArchive, ParquetFile } from './parquet/archive/archive.ts'
export type { ArchiveError } from './parquet/archive/errors.ts'
export type { ArchiveLimits } from './parquet/archive/limits.ts'
