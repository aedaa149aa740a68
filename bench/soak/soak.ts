import { createMock, type FaultEffect, type Team } from '../../mock/index.ts'
import { Random } from '../../mock/reference-data/random.ts'
import { serve } from '../../mock/server/server.ts'
import { type Outcome, ServiceClient, ServiceError } from '../../src/index.ts'
import { heap } from '../figure.ts'
import { type Kind, kinds } from './kinds.ts'

/** The number of calls of one kind, by result: success, or the error's outcome. */
export type ResultCounts = Record<'calls' | 'success' | Outcome, number>

export interface SoakReport {
  seed: number
  calls: number
  /** The number of calls over sockets. The others are in memory. */
  served: number
  requests: number
  seconds: number
  /** Keyed by kind of call. */
  results: Map<string, ResultCounts>
  faults: { effect: string; used: number }[]
  /** The number of calls in a round. */
  round: number
  /** The size of the heap after each round, in megabytes. */
  heaps: number[]
  /** Lost and duplicate writes, and other violations. */
  problems: string[]
}

/** The faults, each with the percentage of requests that it affects. */
const faults: [percent: number, effect: FaultEffect][] = [
  [3, { status: 429, retryAfter: 0 }],
  [1, { status: 429 }],
  [2, { status: 503, retryAfter: 0 }],
  [1, { status: 503 }],
  [1, { status: 500 }],
  [2, 'refuse_connection'],
  [2, 'cut_before_response'],
  [2, 'lose_response'],
  [2, 'cut_mid_body'],
  [1, 'malformed_json'],
  [0.5, 'html'],
  [1, { latency: '2s' }],
  [1, { drift: 'unknown_values' }],
]

/** The number of concurrent calls. With this many, the client's retry delays overlap. */
const concurrency = 1000

const servedPercent = 2

/** The percentage of calls without retries. Without retries, more calls fail. */
const noRetryPercent = 20

/** The header that contains the number of the call, to find it in the journal. */
const header = 'x-soak-call'

interface EndedCall {
  call: number
  userId: string
  kind: Kind
  result: 'success' | Outcome
}

interface SoakContext {
  team: Team
  inMemory: ServiceClient
  overSockets: ServiceClient
  random: Random
  report: SoakReport
}

/**
 * Sends calls of every kind through the client to one mock, with faults. After each round, the results are compared
 * with the team's records and journal: a successful call had one effect, a rejected or unsent call none, and a call
 * with an unknown outcome at most one. Then the team's records are restored; its faults, time and memory remain.
 */
export async function soak(
  calls: number,
  seed: number,
  log: (line: string) => void = () => {},
): Promise<SoakReport> {
  const round = Math.min(25_000, Math.ceil(calls / 4))
  const mock = createMock({ seed, journalLimit: round * 8 })
  const team = mock.defaultTeam
  const snapshot = team.snapshot()
  const added = faults.map(([percent, effect]) =>
    team.faults.add({ when: { probability: percent / 100 }, then: effect }),
  )
  await using server = await serve(mock)
  const context: SoakContext = {
    team,
    inMemory: new ServiceClient(team.connection()),
    overSockets: new ServiceClient({ apiKey: team.apiKey, baseUrl: server.url }),
    random: new Random(seed),
    report: emptyReport(calls, seed, round),
  }
  const { report } = context
  const start = performance.now()
  for (let first = 0; first < calls; first += round) {
    checkResults(await runRound(first, Math.min(calls, first + round), context), context)
    team.restore(snapshot)
    team.journal.clear()
    report.heaps.push(heap())
    log(`${Math.min(calls, first + round)} calls, ${report.heaps.at(-1)?.toFixed(1)} MB`)
  }
  report.seconds = (performance.now() - start) / 1000
  report.faults = added.map(({ fault: { then }, useCount }) => ({
    effect: typeof then === 'string' ? then : JSON.stringify(then),
    used: useCount,
  }))
  return report
}

function emptyReport(calls: number, seed: number, round: number): SoakReport {
  const none = { calls: 0, success: 0, 'not-sent': 0, rejected: 0, unknown: 0, succeeded: 0 }
  return {
    seed,
    calls,
    served: 0,
    requests: 0,
    seconds: 0,
    results: new Map(kinds.map(({ name }) => [name, { ...none }])),
    faults: [],
    round,
    heaps: [],
    problems: [],
  }
}

/** Also runs all events that the round's calls caused. */
async function runRound(first: number, end: number, context: SoakContext): Promise<EndedCall[]> {
  const ended: EndedCall[] = []
  let next = first
  const caller = async () => {
    while (next < end) ended.push(await makeCall(next++, context))
  }
  await Promise.all(Array.from({ length: concurrency }, caller))
  await context.team.clock.advance('2d')
  return ended
}

async function makeCall(
  call: number,
  { team, random, report, ...clients }: SoakContext,
): Promise<EndedCall> {
  const kind = random.pick(kindsByShare)
  const isServed = random.integer(0, 99) < servedPercent
  if (isServed) report.served += 1
  const userId = `00000000-0000-4000-8000-${call.toString(16).padStart(12, '0')}`
  const client = isServed ? clients.overSockets : clients.inMemory
  const mayRetry = random.integer(0, 99) >= noRetryPercent
  const headers = { [header]: String(call) }
  const options = mayRetry ? { headers } : { headers, maxRetries: 0 }
  kind.prepare?.({ client, team, call, userId, options })
  try {
    const value = await kind.send({ client, team, call, userId, options })
    if (kind.isValid?.(value) === false) report.problems.push(`${kind.name}: invalid result`)
    return { call, userId, kind, result: 'success' }
  } catch (error) {
    if (!(error instanceof ServiceError)) report.problems.push(`${kind.name}: threw ${error}`)
    return { call, userId, kind, result: error instanceof ServiceError ? error.outcome : 'unknown' }
  }
}

/** Each kind occurs as many times as its share in percent. */
const kindsByShare = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind))

function checkResults(ended: EndedCall[], { team, report }: SoakContext): void {
  const effectCounters = new Map(kinds.map((kind) => [kind, kind.countEffects?.(team)]))
  const writes = countWrites(team)
  report.requests += team.journal.count
  for (const { call, userId, kind, result } of ended) {
    // The report has counts for every kind.
    const counts = report.results.get(kind.name) as ResultCounts
    counts.calls += 1
    counts[result] += 1
    const effects = effectCounters.get(kind)?.(userId)
    if (effects === undefined) continue
    const name = `${kind.name} of call ${call} with the result ${result}`
    if (!isAllowed(result, effects)) report.problems.push(`${name}: ${effects} effects`)
    const requests = writes.get(call) ?? 0
    if (kind.isUnsafe && requests > 1) report.problems.push(`${name}: ${requests} requests wrote`)
  }
}

/** Returns the growth from the second quarter of a run to the last, in megabytes. */
export function heapGrowth(heaps: readonly number[]): number {
  const quarter = Math.max(1, Math.floor(heaps.length / 4))
  const mean = (part: readonly number[]) => part.reduce((sum, heap) => sum + heap, 0) / part.length
  return mean(heaps.slice(-quarter)) - mean(heaps.slice(quarter, 2 * quarter))
}

function isAllowed(result: EndedCall['result'], effects: number): boolean {
  if (result === 'unknown') return effects <= 1
  return effects === (result === 'success' || result === 'succeeded' ? 1 : 0)
}

/** Counts only the requests that changed a record. */
function countWrites(team: Team): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { request, changes } of team.journal.requests()) {
    if (changes.length === 0) continue
    const call = Number(request.headers[header])
    counts.set(call, (counts.get(call) ?? 0) + 1)
  }
  return counts
}
