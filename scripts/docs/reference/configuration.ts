import { optionTable } from './interfaces.ts'
import { fillPage } from './markdown.ts'

/** The interfaces of options, by their names in the page. */
const interfaces: Record<string, string> = {
  ClientOptions: 'src/client/options/client-options.ts',
  RequestOptions: 'src/client/options/request-options.ts',
  ListOptions: 'src/client/pagination/list-pages.ts',
  RawRequestOptions: 'src/client/raw-request.ts',
  QueryEachOptions: 'src/client/aggregate/query-each-options.ts',
  CreateOrderOptions: 'src/client/options/create-order-options.ts',
  AppointmentWaitOptions: 'src/client/appointment-wait/wait-options.ts',
  BulkImportAllOptions: 'src/client/bulk-import/import-options.ts',
  ArchiveLimits: 'src/parquet/archive/limits.ts',
  Hooks: 'src/client/hooks.ts',
  EventHandlerOptions: 'src/events/settings.ts',
  VerifyOptions: 'src/events/verify.ts',
  SignOptions: 'src/events/sign.ts',
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

/** Returns the page `docs/reference/configuration.md`: a written text with tables generated from the interfaces of options. */
export function configurationPage(): string {
  const tables = Object.entries(interfaces).map(([name, file]) => [name, optionTable(file, name)])
  return fillPage('configuration.md', Object.fromEntries(tables))
}
