import { fieldWeight, responseLimits } from '../../../src/shared/response-limits.ts'
import { optionTable } from './interfaces.ts'
import { fillPage, table } from './markdown.ts'

/** The files that contain the option interfaces, keyed by interface name. */
const interfaces: Record<string, string> = {
  ClientOptions: 'src/client/options/client-options.ts',
  RequestOptions: 'src/client/options/request-options.ts',
  ListOptions: 'src/client/pagination/list-pages.ts',
  RawRequestOptions: 'src/client/raw-request.ts',
  QueryEachOptions: 'src/client/aggregate/query-each-options.ts',
  CreateOrderOptions: 'src/client/options/create-order-options.ts',
  BookAndWaitOptions: 'src/client/appointments/booking-options.ts',
  AppointmentWaitOptions: 'src/client/appointments/wait-options.ts',
  BulkImportAllOptions: 'src/client/bulk-import/import-options.ts',
  ArchiveLimits: 'src/parquet/archive/limits.ts',
  Hooks: 'src/client/hooks.ts',
  DeliveryOptions: 'src/events/settings.ts',
  EventHandlerOptions: 'src/events/settings.ts',
  TransactionHandlerOptions: 'src/events/settings.ts',
  DurableOptions: 'src/durable/options.ts',
  WriteOptions: 'src/durable/options.ts',
  Retention: 'src/stores/write-store.ts',
  PostgresStoreOptions: 'src/stores/postgres.ts',
  RedisStoreOptions: 'src/stores/redis.ts',
  SyncOptions: 'src/sync/settings.ts',
  ReadOptions: 'src/sync/read-records.ts',
  BackfillOptions: 'src/sync/backfill.ts',
  VerifyDataOptions: 'src/sync/verify.ts',
  VerifyOptions: 'src/events/verify.ts',
  SignOptions: 'src/events/sign.ts',
  InstrumentEventsOptions: 'src/otel.ts',
  InstrumentOptions: 'src/otel.ts',
  MockOptions: 'mock/state/defaults.ts',
  TeamOptions: 'mock/state/defaults.ts',
  WebhookInput: 'mock/events/delivery/webhook-input.ts',
  DeliveryModes: 'mock/events/delivery/delivery-modes.ts',
  HandlersOptions: 'mock/msw.ts',
  ServeOptions: 'mock/server/server.ts',
  ConnectOptions: 'mock/remote/connect.ts',
  ExploreOptions: 'mock/explore/options.ts',
  ConformanceOptions: 'src/conformance/run.ts',
  CertifyOptions: 'src/certify/options.ts',
}

export function configurationPage(): string {
  const tables = Object.entries(interfaces).map(([name, file]) => [name, optionTable(file, name)])
  return fillPage('configuration.md', {
    ...Object.fromEntries(tables),
    ResponseLimits: responseLimitTable(),
  })
}

/** These limits are not options. */
function responseLimitTable(): string {
  const { bytes, errorBytes, expansion, unsuspiciousBytes, values, fields, depth } = responseLimits
  const rows: [limit: string, value: string][] = [
    ['Size of a decompressed response or of the result of `bytes()`', inMiB(bytes)],
    ['Size of a decompressed error response', inMiB(errorBytes)],
    [
      `Decompression ratio of a compressed response that has a \`content-length\` and exceeds ${inMiB(unsuspiciousBytes)} decompressed`,
      String(expansion),
    ],
    [
      `Total number of JSON objects, arrays, fields and elements; a field counts as ${fieldWeight}`,
      values.toLocaleString('en-US'),
    ],
    ['Fields in one JSON object, such as columns in a table', fields.toLocaleString('en-US')],
    ['Nesting depth of JSON objects and arrays', String(depth)],
  ]
  return table(['Limit', 'Value'], rows)
}

function inMiB(bytes: number): string {
  return `${bytes / 1024 / 1024} MiB`
}
