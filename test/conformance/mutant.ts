import { conformanceSetup } from '../../mock/conformance.ts'
import { createMock, type MockOptions, type TeamConnection } from '../../mock/index.ts'
import {
  type ConformanceOptions,
  type ConformanceReport,
  runConformance,
  type Setup,
  type TeamLike,
} from '../../src/conformance/index.ts'

// biome-ignore lint/suspicious/noExplicitAny: mutants reach into JSON of every shape.
export type Json = any

/** A request on its way, to be changed in place. */
export interface Call {
  method: string
  url: URL
  headers: Headers
  body: Json
}

/** An answer on its way back. */
export interface Reply {
  status: number
  headers: Headers
  body: Json
}

type Fetch = TeamConnection['fetch']

/** The mock with one deviation from the specification. */
export interface Mutant {
  /** What it does, after `a mock that`. */
  name: string
  /** Where the cases are that should find it: sections or ids. */
  only: string[]
  options?: MockOptions
  setup?: (setup: Setup) => Setup
  /** Stands between the cases and the mock; `key` is that of the team. */
  between?: (fetch: Fetch, key: string) => Fetch
}

/** Runs the cases against a mutant; of all of them or of its own sections, and until one fails or to the end. */
export async function runMutant(
  { options = {}, setup = (same) => same, between = (fetch) => fetch }: Mutant,
  how: Pick<ConformanceOptions, 'only' | 'bail'> = {},
): Promise<ConformanceReport> {
  const mock = createMock(options)
  const { apiKey, baseUrl, fetch } = mock.connection()
  return runConformance({
    apiKey,
    baseUrl,
    fetch: between(fetch, apiKey),
    setup: setup(conformanceSetup(mock)),
    ...how,
  })
}

type Lines = string | RegExp

/** Changes requests before the service gets them. `lines` are of the form `POST /v3/order`. */
export function before(
  lines: Lines,
  change: (call: Call, key: string) => void,
): NonNullable<Mutant['between']> {
  return (fetch, key) => async (input, init) => {
    const call = callOf(input, init)
    if (concerns(lines, call)) leniently(() => change(call, key))
    return send(fetch, call)
  }
}

/** Changes answers before the cases get them: in place, or by what it gives. */
export function after(
  lines: Lines,
  change: (reply: Reply, call: Call) => Partial<Reply> | undefined,
): NonNullable<Mutant['between']> {
  return (fetch) => async (input, init) => {
    const call = callOf(input, init)
    const response = await send(fetch, call)
    if (!concerns(lines, call)) return response
    if (!isJson(response.headers)) return response
    const reply = {
      status: response.status,
      headers: response.headers,
      body: await response.json(),
    }
    return responseOf({ ...reply, ...change(reply, call) })
  }
}

/** Changes the bodies of answers that succeed. */
export function answering(
  lines: Lines,
  change: (body: Json, call: Call) => void,
): NonNullable<Mutant['between']> {
  return after(lines, ({ status, body }, call) => {
    if (status < 400) leniently(() => change(body, call))
    return undefined
  })
}

/** Refuses what the service takes. */
export function refusing(
  lines: Lines,
  what: (call: Call) => boolean,
  status = 422,
): NonNullable<Mutant['between']> {
  return (fetch) => async (input, init) => {
    const call = callOf(input, init)
    const isRefused = concerns(lines, call) && leniently(() => what(call))
    return isRefused ? Response.json({ detail: 'No' }, { status }) : send(fetch, call)
  }
}

/** Changes what further teams are to be like. */
export function teamsLike(change: (like: TeamLike) => TeamLike): NonNullable<Mutant['setup']> {
  return (setup) => ({
    ...setup,
    // The setup of the mock offers teams.
    team: (like) => (setup.team as NonNullable<Setup['team']>)(change(like)),
  })
}

/** Changes events before the cases get them: each becomes those that are given. */
export function sending(change: (event: Json) => Json[]): NonNullable<Mutant['setup']> {
  return (setup) => ({
    ...setup,
    // The setup of the mock offers events.
    events: async () => {
      const sent = await (setup.events as NonNullable<Setup['events']>)()
      return sent.flatMap((event) => change(structuredClone(event)))
    },
  })
}

/** Leaves a body of another form than expected as it is. */
function leniently<T>(change: () => T): T | undefined {
  try {
    return change()
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

function concerns(lines: Lines, { method, url }: Call): boolean {
  const line = `${method} ${url.pathname}`
  return typeof lines === 'string' ? line === lines : lines.test(line)
}

function callOf(input: Request | string | URL, init: RequestInit = {}): Call {
  const { method = 'GET', headers, body } = init
  const text = typeof body === 'string' ? body : undefined
  return {
    method,
    url: new URL(String(input)),
    headers: new Headers(headers),
    body: text && parsed(text),
  }
}

/** A body that is no JSON stays text. */
function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function send(fetch: Fetch, { method, url, headers, body }: Call): Promise<Response> {
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  return fetch(url.href, { method, headers, ...(body === undefined ? {} : { body: sent }) })
}

function isJson(headers: Headers): boolean {
  return headers.get('content-type') === 'application/json'
}

function responseOf({ status, headers, body }: Reply): Response {
  const sent = new Headers(headers)
  sent.delete('content-length')
  return new Response(JSON.stringify(body), { status, headers: sent })
}
