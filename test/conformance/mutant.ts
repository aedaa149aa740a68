import { createMock, type Mock, type MockOptions, type TeamConnection } from '../../mock/index.ts'
import { createConformanceSetup } from '../../mock/remote/conformance-setup.ts'
import {
  type ConformanceOptions,
  type ConformanceReport,
  conformanceCases,
  runConformance,
  type Setup,
  type TeamSettings,
} from '../../src/conformance/index.ts'

// biome-ignore lint/suspicious/noExplicitAny: mutants reach into JSON of every shape.
export type Json = any

/** A request, to be changed in place. */
export interface Call {
  method: string
  url: URL
  headers: Headers
  body: Json
}

/** A response, to be changed in place. */
export interface Reply {
  status: number
  headers: Headers
  body: Json
}

type Fetch = TeamConnection['fetch']

/** The calls that a deviation concerns: `POST /v3/order`, or what matches such a line. */
type Lines = string | RegExp

/** Wraps the `fetch` of the mock; `key` is the team's API key. */
export interface Between {
  (fetch: Fetch, key: string): Fetch
  /** The only calls that it changes. Default: it may change all. */
  lines?: Lines
}

/** The mock with one deviation. */
export interface Mutant {
  /** What it does, after `a mock that`. */
  name: string
  /** The rule that it breaks, such as `4.8/rule-2`; absent for a control, which breaks none. */
  rule?: string
  /** Sections or ids of the cases that should find it. Default: the section of the rule; for a control, all. */
  only?: string[]
  /** Whether it breaks an assumption about what the specification leaves open. Default: false. */
  assumes?: boolean
  /** Why no case can find it. */
  survives?: string
  options?: MockOptions
  /** Changes the mock from the inside before the cases run. */
  inside?: (mock: Mock) => void
  setup?: (setup: Setup) => Setup
  between?: Between
}

/** Runs conformance cases against a mutant. */
export async function runMutant(
  mutant: Omit<Mutant, 'name'>,
  how: Pick<ConformanceOptions, 'only' | 'bail' | 'assumptions'> = {},
): Promise<ConformanceReport> {
  const { options = {}, inside, setup = (same) => same, between = (fetch) => fetch } = mutant
  const mock = createMock(options)
  inside?.(mock)
  const { apiKey, baseUrl, fetch } = mock.connection()
  return runConformance({
    apiKey,
    baseUrl,
    fetch: between(fetch, apiKey),
    setup: setup(createConformanceSetup(mock)),
    ...how,
  })
}

/** Returns the cases that should find a mutant. */
export function casesFor({ rule, only }: Mutant): string[] {
  return only ?? (rule === undefined ? [] : [rule.slice(0, rule.indexOf('/'))])
}

/** The calls of a case, such as `GET /v2/providers`. */
export type CallsOfCase = ReadonlyMap<string, ReadonlySet<string>>

/** Runs all cases against the mock, and returns the calls of each. */
export async function recordCalls(): Promise<CallsOfCase> {
  const mock = createMock()
  const { fetch, ...connection } = mock.connection()
  const setup = createConformanceSetup(mock)
  const calls = new Map<string, Set<string>>()
  for (const { id } of conformanceCases) {
    const lines = new Set<string>()
    const recorded: Fetch = (input, init) => {
      lines.add(`${init?.method ?? 'GET'} ${new URL(String(input)).pathname}`)
      return fetch(input, init)
    }
    await runConformance({ ...connection, fetch: recorded, setup, only: [id], assumptions: true })
    calls.set(id, lines)
  }
  return calls
}

/** Returns whether a case makes a call that a mutant changes. Other cases cannot find it. */
export function canSee(lines: ReadonlySet<string>, { between, ...other }: Mutant): boolean {
  const concerned = between?.lines
  if (concerned === undefined || other.options || other.inside || other.setup) return true
  return [...lines].some((line) => matches(concerned, line))
}

/** Changes requests before the service receives them. `lines` have the form `POST /v3/order`. */
export function before(lines: Lines, change: (call: Call, key: string) => void): Between {
  return changing(lines, async (fetch, call, key) => {
    leniently(() => change(call, key))
    return send(fetch, call)
  })
}

/** Changes responses before the cases receive them: in place, or by the fields it returns. */
export function after(
  lines: Lines,
  change: (reply: Reply, call: Call) => Partial<Reply> | undefined,
): Between {
  return changing(lines, async (fetch, call) => {
    const response = await send(fetch, call)
    if (!isJson(response.headers)) return response
    const { status, headers } = response
    const reply = { status, headers, body: await response.json() }
    return responseOf({ ...reply, ...change(reply, call) })
  })
}

/** Changes the bodies of successful responses in place. */
export function changeResponses(lines: Lines, change: (body: Json, call: Call) => void): Between {
  return after(lines, ({ status, body }, call) => {
    if (status < 400) leniently(() => change(body, call))
    return undefined
  })
}

/** Returns the first successful response again for every later call with the same `key`. */
export function stick(lines: Lines, key: (call: Call) => unknown = () => ''): Between {
  const wrap = (fetch: Fetch, apiKey: string) => {
    const first = new Map<unknown, Pick<Reply, 'status' | 'body'>>()
    const repeat = after(lines, ({ status, body }, call) => {
      if (status >= 400) return undefined
      const known = first.get(key(call))
      if (!known) first.set(key(call), { status, body })
      return known
    })
    return repeat(fetch, apiKey)
  }
  return Object.assign(wrap, { lines })
}

/** Makes a deviation with a function that returns the first value that it was given. Each mock has its own. */
export function withFirst(make: (first: (value: Json) => Json) => Between): Between {
  return (fetch, key) => {
    let known: Json
    const first = (value: Json) => {
      known ??= value
      return known
    }
    return make(first)(fetch, key)
  }
}

/** Lets the service do what `change` makes of an invalid request, and still returns the rejection. */
export function changeDespiteError(lines: Lines, change: (call: Call) => void): Between {
  return changing(lines, async (fetch, call) => {
    const response = await send(fetch, call)
    if (response.status < 400) return response
    leniently(() => change(call))
    await send(fetch, call)
    return response
  })
}

/** Rejects requests that the service accepts. */
export function rejectCalls(
  lines: Lines,
  isRejected: (call: Call) => boolean,
  status = 422,
): Between {
  return changing(lines, async (fetch, call) => {
    const rejects = leniently(() => isRejected(call))
    return rejects ? Response.json({ detail: 'No' }, { status }) : send(fetch, call)
  })
}

/** Changes the settings of other teams. */
export function teamsLike(
  change: (like: TeamSettings) => TeamSettings,
): NonNullable<Mutant['setup']> {
  return (setup) => ({
    ...setup,
    // The setup of the mock offers teams.
    team: (like) => (setup.team as NonNullable<Setup['team']>)(change(like)),
  })
}

/** Replaces each event by those that `change` returns; also the events of other teams. */
export function sending(change: (event: Json) => Json[]): NonNullable<Mutant['setup']> {
  // The setup returns the events of all cases each time; each event is changed once.
  const changed = new Map<Json, Json[]>()
  return sendingAll((events) => {
    return events.flatMap((event) => {
      const known = changed.get(event) ?? change(structuredClone(event))
      changed.set(event, known)
      return known
    })
  })
}

/** Replaces the events of every team. */
export function sendingAll(change: (events: Json[]) => Json[]): NonNullable<Mutant['setup']> {
  const wrap = (setup: Setup): Setup => ({
    ...setup,
    // The setup of the mock offers events and teams.
    events: async () => {
      const sent = await (setup.events as NonNullable<Setup['events']>)()
      return change([...sent])
    },
    team: async (like) => {
      const other = await (setup.team as NonNullable<Setup['team']>)(like)
      return { ...other, setup: wrap(other.setup) }
    },
  })
  return wrap
}

/** Replaces how the calls of some lines are sent. */
function changing(
  lines: Lines,
  sendChanged: (fetch: Fetch, call: Call, key: string) => Promise<Response>,
): Between {
  const wrap = (fetch: Fetch, key: string): Fetch => {
    return (input, init) => {
      const call = callOf(input, init)
      return concerns(lines, call) ? sendChanged(fetch, call, key) : fetch(input, init)
    }
  }
  return Object.assign(wrap, { lines })
}

/** Ignores type errors from bodies of an unexpected form. */
function leniently<T>(change: () => T): T | undefined {
  try {
    return change()
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

function concerns(lines: Lines, { method, url }: Call): boolean {
  return matches(lines, `${method} ${url.pathname}`)
}

function matches(lines: Lines, line: string): boolean {
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

/** Parses a body; returns the string when it is not JSON. */
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
  return /^application\/json\b/i.test(headers.get('content-type') ?? '')
}

function responseOf({ status, headers, body }: Reply): Response {
  const sent = new Headers(headers)
  sent.delete('content-length')
  return new Response(JSON.stringify(body), { status, headers: sent })
}

/** A place in a body, such as `insured.address.zip`. */
type Path = string

/** Deletes the field at a path. */
export function drop(path: Path): (body: Json) => void {
  return change(path, () => undefined)
}

/** Sets the field at a path, if the body has it. */
export function change(path: Path, replace: (value: Json) => Json): (body: Json) => void {
  const names = path.split('.')
  const last = names.pop() as string
  return (body) => {
    const parent = names.reduce((inner, name) => inner?.[name], body)
    if (typeof parent !== 'object' || parent === null || !(last in parent)) return
    const value = replace(parent[last])
    if (value === undefined) delete parent[last]
    else parent[last] = value
  }
}

/** Stores another value than the sent one, and returns the sent one. */
export function storeWrongly(lines: Lines, path: Path, replace: (value: Json) => Json): Between {
  return changing(lines, async (fetch, call) => {
    const sent = structuredClone(call.body)
    leniently(() => change(path, replace)(call.body))
    const response = await send(fetch, call)
    if (response.status >= 400) return response
    const body = await response.json()
    const value = path.split('.').reduce((inner, name) => inner?.[name], sent)
    leniently(() => change(path, () => value)(body))
    return responseOf({ status: response.status, headers: response.headers, body })
  })
}
