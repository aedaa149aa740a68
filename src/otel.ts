import {
  type Attributes,
  type MeterProvider,
  SpanKind,
  SpanStatusCode,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import { RequestValidationError } from './client/errors/validation-errors.ts'
import { type Hooks, hookNames, type ResponseEvent } from './client/hooks.ts'
import { observe } from './client/observe.ts'
import { findOptionIssues } from './client/options/check-options.ts'
import { type ClientOptions, clientOptionRules } from './client/options/client-options.ts'
import { readEnvironment } from './client/options/environment.ts'
import { acceptAny } from './client/options/rules.ts'
import { environment } from './contract/wire.ts'
import type { DeliveryOptions } from './events/settings.ts'
import { Metrics } from './otel-metrics.ts'
import { version } from './version.ts'

/** Options for {@link instrumentEvents}. */
export interface InstrumentEventsOptions {
  /** The provider that records the metrics. Default: the global provider, even if it is registered later. */
  meterProvider?: MeterProvider | undefined
}

/** Options for {@link instrument}. */
export interface InstrumentOptions extends InstrumentEventsOptions {
  /** The provider that creates the spans. Default: the global provider, even if it is registered later. */
  tracerProvider?: TracerProvider | undefined
}

/**
 * Returns a client's options with added hooks. The hooks create an OpenTelemetry span for each attempt and record
 * metrics for calls, attempts and retries. Spans and attempt metrics follow the semantic conventions for HTTP clients.
 * A retry's span has `http.request.resend_count`. Spans contain the route template, the server's address, the status or
 * error code, the operation and the outcome, but never ids, bodies, queries or keys. Your own hooks are still called.
 * Errors from the tracer or meter do not affect calls.
 *
 * @throws {RequestValidationError} for an unknown instrumentation option.
 * @example
 * const client = new ServiceClient(instrument({ apiKey, baseUrl }))
 */
export function instrument(
  options: ClientOptions = {},
  instrumentOptions: InstrumentOptions = {},
): ClientOptions {
  checkInstrumentOptions(instrumentOptions, ['tracerProvider', 'meterProvider'])
  const { tracerProvider = trace.getTracerProvider(), meterProvider }: InstrumentOptions =
    Object(instrumentOptions)
  // The client rejects invalid options.
  if (typeof options !== 'object' || options === null) return options
  const { baseUrl = readEnvironment(environment.baseUrl), hooks = {} } = options
  // The client rejects invalid hooks.
  if (clientOptionRules.hooks(hooks, 'hooks').length > 0) return options
  const own = bindHooks(hooks)
  const server = serverOf(baseUrl)
  const metrics = new Metrics(meterProvider)
  return {
    ...options,
    hooks: {
      ...own,
      response(event) {
        const { 'http.request.resend_count': _, ...attributes } = attributesOf(event, server)
        observe(() => recordSpan(tracerProvider, event, server))
        observe(() => metrics.recordAttempt(event.duration, attributes))
        return own.response?.(event)
      },
      retry(event) {
        observe(() => metrics.recordRetry(event))
        return own.retry?.(event)
      },
      end(event) {
        observe(() => metrics.recordCall(event))
        return own.end?.(event)
      },
    },
  }
}

/**
 * Returns options for `eventHandler` or `nodeEventHandler` with an added callback. It records the number, duration, age
 * and result of deliveries by event type, without ids or content. Your own `onDelivery` is still called.
 *
 * @param options The handler's options.
 * @throws {RequestValidationError} for an unknown instrumentation option.
 * @example
 * const receive = eventHandler(instrumentEvents({ secrets, on, fallback }))
 */
export function instrumentEvents<Options extends DeliveryOptions>(
  options: Options,
  instrumentOptions: InstrumentEventsOptions = {},
): Options {
  checkInstrumentOptions(instrumentOptions, ['meterProvider'])
  const { meterProvider }: InstrumentEventsOptions = Object(instrumentOptions)
  const metrics = new Metrics(meterProvider)
  return {
    ...options,
    onDelivery(delivery) {
      observe(() => metrics.recordDelivery(delivery))
      return options.onDelivery?.(delivery)
    },
  }
}

function checkInstrumentOptions(options: InstrumentOptions, names: string[]): void {
  const rules = Object.fromEntries(names.map((name) => [name, acceptAny]))
  const issues = findOptionIssues(Object(options), rules)
  if (issues.length === 0) return
  throw new RequestValidationError(issues, { operation: 'The instrumentation', route: '' })
}

/** Binds hooks to their object. A missing hook stays missing, because the client does less work without it. */
function bindHooks(hooks: Hooks): Hooks {
  return Object.fromEntries(hookNames.map((name) => [name, bindHook(hooks, name)]))
}

/** Treats a getter that throws as a missing hook. The client rejects hooks that are not functions. */
function bindHook(hooks: Hooks, name: (typeof hookNames)[number]): unknown {
  try {
    const hook: unknown = hooks[name]
    return typeof hook === 'function' ? hook.bind(hooks) : hook
  } catch {
    return undefined
  }
}

/** Creates the span when the attempt ends, because a `request` event does not identify its call. */
function recordSpan(provider: TracerProvider, event: ResponseEvent, server: Attributes): void {
  const end = Date.now()
  const { method, template } = routeOf(event)
  const tracer = watched(provider.getTracer('health-lab-sdk', version))
  const span = watched(
    tracer.startSpan(template === undefined ? method : `${method} ${template}`, {
      kind: SpanKind.CLIENT,
      startTime: end - event.duration,
      attributes: attributesOf(event, server),
    }),
  )
  if (event.outcome !== 'succeeded') watched(span.setStatus({ code: SpanStatusCode.ERROR }))
  watched(span.end(end))
}

/** If the value is a promise despite its type, prevents an unhandled rejection, which would end the process. */
function watched<T>(value: T): T {
  observe(() => value)
  return value
}

function routeOf({ route }: ResponseEvent): { method: string; template: string | undefined } {
  const [method = '', path = ''] = route.split(' ', 2)
  return { method, template: path.startsWith('/') ? path : undefined }
}

function attributesOf(event: ResponseEvent, server: Attributes): Attributes {
  const { operation, outcome, attempt, status, code } = event
  const { method, template } = routeOf(event)
  const errorType = outcome === 'succeeded' ? undefined : (code ?? String(status))
  return {
    ...server,
    'http.request.method': method,
    'url.template': template,
    'http.response.status_code': status,
    'error.type': errorType,
    'http.request.resend_count': attempt > 1 ? attempt - 1 : undefined,
    'health_lab.operation': operation,
    'health_lab.outcome': outcome,
  }
}

function serverOf(baseUrl: string | undefined): Attributes {
  // The client rejects an invalid URL.
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return {}
  const { protocol, hostname, port } = new URL(baseUrl)
  const defaultPort = protocol === 'http:' ? 80 : 443
  return {
    'server.address': hostname.replace(/^\[|\]$/g, ''),
    'server.port': port === '' ? defaultPort : Number(port),
  }
}
