import { Answer, checkAnswer, hasBody, isTold, written } from './answer.ts'
import { drifting, type Exchange, planOf, spoilt, substitute } from './effects.ts'
import type { JournalEntry } from './journal.ts'
import { checkMicrotasks, mayBeFaked } from './microtasks.ts'
import type { OperationId } from './operations.ts'
import type { Overrides } from './overrides.ts'
import { notFound, Refusal } from './refusal.ts'
import { checkRequest, type Incoming, type Said, takeApart } from './request.ts'
import { isSignedBy, requisitionPath, signedRequisition } from './requisition.ts'
import type { Route, RouteRequest } from './route.ts'
import type { Match, Router } from './router.ts'
import type { World } from './world.ts'

/** The mock, as far as an exchange needs it. */
export interface Service {
  router: Router
  overrides: Overrides
  worldOf(apiKey: string | undefined): World | undefined
  /** The worlds of all teams. */
  worlds(): Iterable<World>
}

/** A request of a team, to a route that there is. */
interface Visit {
  request: Incoming
  said: Said
  route: Route
  world: World
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
  const leave = world.clock.received()
  const entry = opened(request, path, match, world)
  try {
    const served = serve(request, path, match, entry, world, service)
    return await unlessAborted(signal, counted(served, entry, world))
  } catch (error) {
    entry.outcome = signal?.aborted ? 'aborted' : 'failed'
    throw error
  } finally {
    leave()
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
  world: World,
  service: Service,
): Promise<Exchange> {
  const text = await request.text()
  world.journal.grow(entry, text?.length ?? 0)
  const requestId = `req_${world.ordinal}_${entry.number}`
  if (!match) {
    const answer = await answerOf(() => {
      throw unknownRoute(request.method, path, service.router)
    })
    return closed(entry, answer, written(answer, requestId))
  }
  const { route, params } = match
  const said = takeApart(route.endpoint, params, request.search, text)
  Object.assign(entry.request, { query: said.query, body: said.body })
  const visit = { request, said, route, world, service, entry }
  return faultyAnswer(visit, requestId)
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
  const reply = await world.causedBy(entry.number, () => handler(asked, world))
  const answer = reply instanceof Answer ? reply : new Answer(200, reply)
  checkAnswer(endpoint, answer, world.settings.strictAnswers && isTold(endpoint, body))
  return answer
}

/** An answer that succeeded, after the overrides of the mock and then of the team. */
function rewritten(answer: Answer, { said, route, world, service }: Visit): Answer {
  if (answer.status >= 400) return answer
  const context = {
    // The endpoints of the contract are the operations.
    operation: route.endpoint.id as OperationId,
    params: said.params,
    query: said.query,
    body: said.body,
    now: world.clock.now(),
  }
  const original = { status: answer.status, headers: { ...answer.headers }, body: answer.body }
  const ofMock = service.overrides.apply(original, context)
  const { status, headers, body } = world.overrides.apply(ofMock, context)
  return new Answer(status, body, answer.type, headers)
}

/** A refusal is an answer too. */
async function answerOf(answer: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await answer()
  } catch (error) {
    if (error instanceof Refusal) return new Answer(error.status, { detail: error.detail })
    throw error
  }
}

function unknownRoute(method: string, path: string, router: Router): Refusal {
  const nearest = router.nearest(method, path)
  return new Refusal(404, `Not found: no route for this ${method}; the nearest is ${nearest}`)
}

function opened(
  request: Incoming,
  path: string,
  match: Match | undefined,
  { journal, clock }: World,
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
  { journal }: World,
): Promise<Exchange> {
  const end = await served
  if (end.kind === 'answer') journal.grow(entry, end.body.length)
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
