import {
  type Attributes,
  SpanKind,
  SpanStatusCode,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import { observe } from './client/observer.ts'
import {
  type ClientOptions,
  environment,
  type Hooks,
  hookNames,
  type ResponseEvent,
} from './client/options.ts'
import { version } from './version.ts'

/** Where spans go. */
export interface InstrumentOptions {
  /** Default: the global one, also when it is registered later. */
  tracerProvider?: TracerProvider | undefined
}

/**
 * Gives a client's options hooks that make an OpenTelemetry span of every attempt, by the semantic conventions for HTTP
 * clients. A repeated attempt is a span of its own, with `http.request.resend_count`. Spans hold the route template, the
 * server's address, the status or the code of the failure, the operation and its outcome; never ids, bodies, queries or
 * keys, and so no `url.full`. Your own hooks are called as before, and a tracer that throws changes no call.
 *
 * @example
 * const client = new ServiceClient(instrument({ apiKey, baseUrl }))
 */
export function instrument(
  options: ClientOptions = {},
  { tracerProvider = trace.getTracerProvider() }: InstrumentOptions = {},
): ClientOptions {
  const { baseUrl = environment('SERVICE_BASE_URL'), hooks = {} } = options
  const own = boundHooks(hooks)
  // Hooks that are none are for the client to refuse.
  if (!own || !isAbsentOrFunction(own.response)) return options
  const server = serverOf(baseUrl)
  return {
    ...options,
    hooks: {
      ...own,
      response(event) {
        observe(() => record(tracerProvider, event, server))
        return own.response?.(event)
      },
    },
  }
}

/** Hooks as plain functions; an absent one stays absent, because the client then looks for less. */
function boundHooks(hooks: Hooks): Hooks | undefined {
  if (typeof hooks !== 'object' || hooks === null) return undefined
  return Object.fromEntries(hookNames.map((name) => [name, boundHook(hooks, name)]))
}

/** A getter that throws has no hook. Anything but a function is for the client to refuse. */
function boundHook(hooks: Hooks, name: (typeof hookNames)[number]): unknown {
  try {
    const hook: unknown = hooks[name]
    return typeof hook === 'function' ? hook.bind(hooks) : hook
  } catch {
    return undefined
  }
}

function isAbsentOrFunction(value: unknown): boolean {
  return value === undefined || typeof value === 'function'
}

/** Makes the span of an attempt when it has ended: hooks of calls under way at a time cannot be told apart before. */
function record(provider: TracerProvider, event: ResponseEvent, server: Attributes): void {
  const end = Date.now()
  const { method, template } = routeOf(event)
  const span = provider
    .getTracer('health-lab-sdk', version)
    .startSpan(template === undefined ? method : `${method} ${template}`, {
      kind: SpanKind.CLIENT,
      startTime: end - event.duration,
      attributes: { ...server, ...attributesOf(event, method, template) },
    })
  if (event.outcome !== 'succeeded') span.setStatus({ code: SpanStatusCode.ERROR })
  span.end(end)
}

function routeOf({ route }: ResponseEvent): { method: string; template: string | undefined } {
  const [method = '', path = ''] = route.split(' ', 2)
  return { method, template: path.startsWith('/') ? path : undefined }
}

function attributesOf(
  { operation, outcome, attempt, status, code }: ResponseEvent,
  method: string,
  template: string | undefined,
): Attributes {
  const errorType = outcome === 'succeeded' ? undefined : (code ?? String(status))
  return {
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
  // An unusable URL is for the client to refuse.
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return {}
  const { protocol, hostname, port } = new URL(baseUrl)
  const defaultPort = protocol === 'http:' ? 80 : 443
  return {
    'server.address': hostname.replace(/^\[|\]$/g, ''),
    'server.port': port === '' ? defaultPort : Number(port),
  }
}
