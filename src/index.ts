export type {
  BulkImportAllOptions,
  BulkImportFailure,
  BulkImportProgress,
  BulkImportReport,
  BulkImportResult,
  RecipeOutcome,
  RecipeRange,
} from './bulk-import.ts'
export type { Answer, Call, ResponseInfo } from './call.ts'
export { type RequestInit, ServiceClient } from './client.ts'
export {
  type AggregateRequest,
  type AggregateResult,
  type AggregateTable,
  type AggregationFunction,
  type AggregationResult,
  aggregationFunctions,
  type ColumnGroup,
  type DateTruncGroup,
  type Duration,
  type GroupByItem,
  type Query,
  type QueryConfig,
  type RelativeTimeframe,
  type SelectItem,
  type TimeUnit,
  timeUnits,
} from './contract/aggregate.ts'
export type { Issue } from './contract/check.ts'
export {
  type AggregateColumn,
  type AggregateResource,
  aggregateColumns,
  type ColumnType,
  timeseriesColumns,
} from './contract/columns.ts'
export type { Deprecation, Effect, Method } from './contract/endpoint.ts'
export {
  type CompanyDetails,
  type Guarantor,
  type GuarantorDetails,
  type Insurance,
  type InsuranceAddress,
  type InsuranceAddressInput,
  type InsuranceInput,
  type InsuranceRelationship,
  inferredPayorCodes,
  insuranceRelationships,
  type Person,
  type PersonDetails,
} from './contract/insurance.ts'
export {
  type ExpectedResult,
  type Lab,
  type LabTest,
  type LabTestPage,
  type LabTestQuery,
  type Loinc,
  type Marker,
  type MarkerPage,
  type MarkerPaging,
  type MarkerQuery,
  type MarkerType,
  markerTypes,
  type OrderSet,
  type OrderSetAddOn,
  type TestMarkerPage,
  type TestMarkerQuery,
} from './contract/lab-tests.ts'
export {
  type BulkImportInput,
  type BulkImportProvider,
  type BulkOp,
  type BulkOpPage,
  type BulkOpQuery,
  type BulkOpStatus,
  bulkImportProviders,
  bulkOpStatuses,
  type ConnectionProvider,
  type ConnectionRecipe,
  connectionProviders,
  type DeletedConnection,
  type Provider,
  type ProviderAuthType,
  type ProviderQuery,
  providerAuthTypes,
} from './contract/link.ts'
export {
  type Appointment,
  type AppointmentEvent,
  type AppointmentEventStatus,
  type AppointmentProvider,
  type AppointmentStatus,
  type AppointmentType,
  appointmentEventStatuses,
  appointmentProviders,
  appointmentStatuses,
  appointmentTypes,
  type BookingInput,
  type CreatedOrder,
  type LngLat,
  type Order,
  type OrderInput,
  type OrderResult,
  type PatientAddress,
  type PatientDetails,
  type USAddress,
} from './contract/orders.ts'
export { type SupportedResource, supportedResources } from './contract/resources.ts'
export { isKnown, type Open } from './contract/schema.ts'
export { type Source, type SourceType, sourceTypes } from './contract/source.ts'
export {
  type ProfileSummary,
  type Summary,
  type SummaryAnswers,
  type SummaryQuery,
  type SummaryResource,
  summaryResources,
} from './contract/summaries.ts'
export {
  type Ethnicity,
  ethnicities,
  type GenderIdentity,
  genderIdentities,
  isLabName,
  type Race,
  races,
  type SexualOrientation,
  type SignInToken,
  sexualOrientations,
  type UserAddress,
  type UserAddressInput,
  type UserInfo,
  type UserInfoInput,
} from './contract/users.ts'
export type { Download } from './download.ts'
export {
  ApiError,
  type Attempt,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  type ErrorFacts,
  InternalServerError,
  NotFoundError,
  type Outcome,
  PermissionDeniedError,
  RateLimitError,
  RequestValidationError,
  ResponseValidationError,
  ServiceError,
  TimeoutError,
  UnprocessableEntityError,
} from './errors.ts'
export type {
  ClientOptions,
  DeprecationEvent,
  DriftEvent,
  ExtraHeaders,
  HookEvent,
  Hooks,
  Logger,
  RequestEvent,
  RequestOptions,
  ResponseEvent,
  RetryEvent,
  Validation,
} from './options.ts'
export type { PageCall } from './paginate.ts'
export type { ParquetArchive, ParquetFile } from './parquet/archive.ts'
export type { ArchiveError, ArchiveErrorCode } from './parquet/errors.ts'
export type { ArchiveLimits } from './parquet/limits.ts'
export {
  type AggregateValue,
  type Aggregation,
  type AnyQuery,
  type BuiltQuery,
  column,
  columns,
  count,
  dateTrunc,
  max,
  mean,
  median,
  min,
  newest,
  oldest,
  past,
  type QueriesRequest,
  type QueriesResult,
  type QueryBuilder,
  query,
  type Resource,
  rows,
  stddev,
  sum,
  type TableOf,
  type WhereValue,
  where,
} from './query.ts'
export type { QueryEachOptions, QueryEachProgress, UserAnswer } from './query-each.ts'
export type { Aggregate } from './resources/aggregate.ts'
export type { Insurances } from './resources/insurance.ts'
export type { LabTests } from './resources/lab-tests.ts'
export type { Link } from './resources/link.ts'
export type { Orders } from './resources/orders.ts'
export type { Summaries } from './resources/summaries.ts'
export type { Users } from './resources/users.ts'
export type { QueryValue, QueryValues } from './url.ts'
