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
} from './client/aggregate-query.ts'
export type {
  BulkImportAllOptions,
  BulkImportFailure,
  BulkImportProgress,
  BulkImportReport,
  BulkImportResult,
  RecipeOutcome,
  RecipeRange,
} from './client/bulk-import/bulk-import.ts'
export type { Answer, Call, ResponseInfo } from './client/call.ts'
export { type RequestInit, ServiceClient } from './client/client.ts'
export type { Download } from './client/download.ts'
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
} from './client/errors.ts'
export type { ExtraHeaders } from './client/headers.ts'
export type {
  ClientOptions,
  DeprecationEvent,
  DriftEvent,
  HookEvent,
  Hooks,
  Logger,
  RequestEvent,
  RequestOptions,
  ResponseEvent,
  RetryEvent,
  Validation,
} from './client/options.ts'
export type { ListOptions, PageCall } from './client/pagination/pagination.ts'
export { PaginationError, type PaginationErrorCode } from './client/pagination/pagination-error.ts'
export type { QueryEachOptions, QueryEachProgress, UserAnswer } from './client/query-each.ts'
export type { Aggregate } from './client/resources/aggregate.ts'
export type { Insurances } from './client/resources/insurance.ts'
export type { LabTests } from './client/resources/lab-tests.ts'
export type { Link } from './client/resources/link.ts'
export type { Orders } from './client/resources/orders.ts'
export type { Summaries } from './client/resources/summaries.ts'
export type { Users } from './client/resources/users.ts'
export type { QueryValue, QueryValues } from './client/url.ts'
export type {
  AggregateRequest,
  AggregateResult,
  AggregateTable,
  AggregationResult,
  ColumnGroup,
  DateTruncGroup,
  Duration,
  GroupByItem,
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
export { type Operation, operations, type RetryableFailure } from './contract/operations.ts'
export type {
  CreatedOrder,
  Order,
  OrderInput,
  OrderResult,
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
export type { Issue } from './contract/schema/check.ts'
export type { Deprecation, Effect, Method } from './contract/schema/endpoint.ts'
export type { Source } from './contract/source.ts'
export type {
  ProfileSummary,
  Summary,
  SummaryQuery,
  SummaryResponses,
} from './contract/summaries.ts'
export type {
  SignInToken,
  UserAddress,
  UserAddressInput,
  UserInfo,
  UserInfoInput,
} from './contract/users.ts'
export {
  type AggregateColumn,
  type AggregateResource,
  aggregateColumns,
  type ColumnType,
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
export { isLabName } from './contract/values/lab-name.ts'
export type { OperationId } from './contract/values/operation-facts.ts'
export {
  type BulkImportProvider,
  bulkImportProviders,
  type ConnectionProvider,
  connectionProviders,
} from './contract/values/providers.ts'
export { type SupportedResource, supportedResources } from './contract/values/resources.ts'
export type { ParquetArchive, ParquetFile } from './parquet/archive.ts'
export type { ArchiveError, ArchiveErrorCode } from './parquet/errors.ts'
export type { ArchiveLimits } from './parquet/limits.ts'
