import type { OperationId } from '../base/operations.ts'
import { notFound, Refusal } from '../base/refusal.ts'
import { Answer, hasBody, written } from '../base/response.ts'
import { drifting, type Exchange, planOf, spoilt, substitute } from '../faults/effects.ts'
import type { Clock } from '../state/clock/clock.ts'
import { requisitionPath } from '../state/records/requisition-url.ts'
import { checkAnswer, isTold } from './check-response.ts'
import { checkMicrotasks, mayBeFaked } from './fake-timers.ts'
import { headerBytes } from './journal.ts'
import type { JournalEntry } from './journal-entry.ts'
import type { Overrides } from './overrides.ts'
import { checkRequest, type Incoming, type Said, takeApart } from './request.ts'
import { isSignedBy, signedRequisition } from './requisition.ts'
import type { Route, RouteRequest } from './route.ts'
import type { Match, Router } from './router.ts'
import type { Tenant } from './tenant.ts'

/** The mock, as far as an exchange needs it. */
export interface Service {
  router: Router
  overrides: Overrides
  worldOf(apiKey: string | undefined): Tenant | undefined
  /** The worlds of all teams. */
  worlds(): Iterable<Tenant>
}

/** A request of a team, to a route that there is. */
interface Visit {
  request: Incoming
  said: Said
  route: Route
  world: Tenant
  service: Service
  entry: JournalEntry
}

/**
 * Answers a request, in the service's order of checks: route, key, the request itself, and then whatever its route
 * says. `path` is the request's path below the base URL.
 */
export async function exchange(
  request: Incoming,
  path: string,
  service: Service,
): Promise<Exchange> {
  if (mayBeFaked()) await checkMicrotasks()
  const signed = requisitionPath.exec(path)
  if (signed) return written(await answerOf(() => signedAnswer(signed, request, service)), 'req_0')
  const { method, headers, signal } = request
  const match = service.router.match(method, path, headers.accept ?? '')
  const world = service.worldOf(headers['x-service-api-key'])
  if (!world) {
    return written(await answerOf(() => strangerAnswer(request, path, match, service)), 'req_0')
  }
  const transit = new Transit(world.clock)
  const entry = opened(request, path, match, world)
  try {
    const served = serve(request, path, match, entry, world, service, transit)
    return await unlessAborted(signal, counted(served, entry, world))
  } catch (error) {
    entry.outcome = signal?.aborted ? 'aborted' : 'failed'
    throw error
  } finally {
    transit.end()
  }
}

/** Milliseconds for which a team's time stands still while the body of a request arrives. */
const arrivalTime = 50

/** Promise ticks within which a body that is in memory has been read. */
const readingTicks = 100

/** Whether a body is not in memory, so that it needs a timer. */
async function isSlow(body: Promise<unknown>): Promise<boolean> {
  let isHere = false
  const arrived = () => {
    isHere = true
  }
  body.then(arrived, arrived)
  for (let tick = 0; tick < readingTicks && !isHere; tick += 1) await undefined
  return !isHere
}

/** A request between its arrival and its response; the team's time stands still meanwhile. */
class Transit {
  readonly #clock: Clock
  #leave: (() => void) | undefined
  #isOver = false

  constructor(clock: Clock) {
    this.#clock = clock
    this.#leave = clock.trackRequest()
  }

  /** Waits for a body. One that is slow, or never ends, does not hold up the team's other requests. */
  async arrival<T>(body: Promise<T>): Promise<T> {
    const timer = (await isSlow(body)) ? setTimeout(() => this.#release(), arrivalTime) : undefined
    try {
      return await body
    } finally {
      clearTimeout(timer)
      if (!this.#isOver) this.#leave ??= this.#clock.trackRequest()
    }
  }

  end(): void {
    this.#isOver = true
    this.#release()
  }

  #release(): void {
    this.#leave?.()
    this.#leave = undefined
  }
}

/** A signed URL needs no key. A snapshot takes it along, so of several teams of its number it may be anyone's. */
function signedAnswer(
  [, ordinal, order = '']: string[],
  { search }: Incoming,
  service: Service,
): Promise<Answer> {
  const owners = [...service.worlds()].filter((world) => String(world.ordinal) === ordinal)
  const owner = owners.find((world) => isSignedBy(world, order, search)) ?? owners[0]
  if (!owner) throw notFound('Requisition form')
  return signedRequisition(order, search, owner)
}

/** Nobody but a team gets any further than to a route. */
function strangerAnswer(
  { method }: Incoming,
  path: string,
  match: Match | undefined,
  { router }: Service,
): never {
  if (!match) throw unknownRoute(method, path, router)
  throw new Refusal(401, 'Invalid or missing API key')
}

async function serve(
  request: Incoming,
  path: string,
  match: Match | undefined,
  entry: JournalEntry,
  world: Tenant,
  service: Service,
  transit: Transit,
): Promise<Exchange> {
  const requestId = `req_${world.ordinal}_${entry.number}`
  try {
    if (!match) throw unknownRoute(request.method, path, service.router)
    const text = await transit.arrival(request.text())
    world.journal.grow(entry, text?.length ?? 0)
    const { route, params } = match
    const said = takeApart(route.endpoint, params, request.search, text)
    Object.assign(entry.request, { query: said.query, body: said.body })
    return await faultyAnswer({ request, said, route, world, service, entry }, requestId)
  } catch (error) {
    const answer = refusalAnswer(error)
    return closed(entry, answer, written(answer, requestId))
  }
}

/** The answer of the service, or what faults make of it. */
async function faultyAnswer(visit: Visit, requestId: string): Promise<Exchange> {
  const { world, entry, request, route } = visit
  const { clock, faults } = world
  const plan = planOf(faults.meet(entry.operation))
  if (plan.latency > 0) {
    const until = clock.moment + plan.latency
    await clock.wait(() => false, { until, signal: request.signal })
  }
  if (plan.instead) {
    const instead = await substitute(plan.instead, clock.moment)
    if (!(instead instanceof Answer)) return closed(entry, undefined, instead)
    return closed(entry, instead, written(instead, requestId))
  }
  const answer = rewritten(await answerOf(() => serviceAnswer(visit)), visit)
  if (plan.after.length === 0) return closed(entry, answer, written(answer, requestId))
  const drifted = drifting(plan.after, answer, route.endpoint)
  return closed(entry, drifted, spoilt(plan.after, written(drifted, requestId)))
}

async function serviceAnswer({ request, said, route, world, entry }: Visit): Promise<Answer> {
  const { endpoint, handler } = route
  const { params, query, body } = said
  world.catchUp()
  checkRequest(route, said, world.settings.strictEnumerations)
  const { headers, signal } = request
  // The request was held against the endpoint whose types the handler has.
  const asked = { params, query, body, headers, signal } as RouteRequest
  const reply = await world.withCause(entry.number, () => handler(asked, world))
  const answer = reply instanceof Answer ? reply : new Answer(200, reply)
  checkAnswer(endpoint, answer, world.settings.strictAnswers && isTold(endpoint, body))
  return answer
}

/** An answer that succeeded, after the overrides of the mock and then of the team. */
function rewritten(answer: Answer, { said, route, world, service }: Visit): Answer {
  if (answer.status >= 400) return answer
  // The endpoints of the contract are the operations.
  const operation = route.endpoint.id as OperationId
  const { params, query, body } = said
  const context = { operation, params, query, body, now: world.clock.now() }
  const rewritten = world.overrides.apply(service.overrides.apply(answer, context), context)
  return new Answer(rewritten.status, rewritten.body, answer.type, { ...rewritten.headers })
}

/** A refusal is an answer too. */
async function answerOf(answer: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await answer()
  } catch (error) {
    return refusalAnswer(error)
  }
}

function refusalAnswer(error: unknown): Answer {
  if (error instanceof Refusal) return new Answer(error.status, { detail: error.detail })
  throw error
}

function unknownRoute(method: string, path: string, router: Router): Refusal {
  const nearest = router.nearest(method, path)
  return new Refusal(404, `Not found: no route for this ${method}; the nearest is ${nearest}`)
}

function opened(
  request: Incoming,
  path: string,
  match: Match | undefined,
  { journal, clock }: Tenant,
): JournalEntry {
  const endpoint = match?.route.endpoint
  return journal.open({
    // The endpoints of the contract are the operations.
    operation: endpoint?.id as OperationId | undefined,
    method: request.method,
    path: endpoint?.path ?? path,
    at: clock.now(),
    request: {
      url: request.url,
      headers: request.headers,
      params: match?.params ?? {},
      query: {},
      body: undefined,
    },
  })
}

/** Counts the response in the journal. */
async function counted(
  served: Promise<Exchange>,
  entry: JournalEntry,
  { journal }: Tenant,
): Promise<Exchange> {
  const end = await served
  if (end.kind === 'answer') journal.grow(entry, end.body.length + headerBytes(end.headers))
  return end
}

/** Writes the end of a request down. */
function closed(entry: JournalEntry, answer: Answer | undefined, end: Exchange): Exchange {
  entry.outcome = end.kind === 'answer' ? 'answered' : end.kind
  if (answer && end.kind === 'answer') {
    const { status, headers } = end
    entry.answer = { status, headers, body: hasBody(status) ? answer.body : undefined }
  }
  return end
}

/** The result, unless the caller leaves before it is there. */
async function unlessAborted<T>(signal: AbortSignal | undefined, result: Promise<T>): Promise<T> {
  if (!signal) return result
  // Nobody hears of a result that comes after the caller left.
  result.catch(() => {})
  signal.throwIfAborted()
  let leave = () => {}
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
  })
  try {
    return await Promise.race([result, left])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
