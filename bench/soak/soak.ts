import { Random } from '../../mock/base/random.ts'
import { createMock, type FaultEffect, type Team } from '../../mock/index.ts'
import { serve } from '../../mock/server/server.ts'
import { type Outcome, ServiceClient, ServiceError } from '../../src/index.ts'
import { heap } from '../figure.ts'
import { type Kind, kinds } from './kinds.ts'

/** How the calls of one kind ended: with success, or with an error of an outcome. */
export type Endings = Record<'calls' | 'success' | Outcome, number>

/** What a soak found. */
export interface Soaked {
  seed: number
  calls: number
  /** Of them over sockets. */
  served: number
  /** Requests that came to the mock. */
  requests: number
  seconds: number
  /** By the kind of call. */
  endings: Map<string, Endings>
  /** How many requests each fault met. */
  faults: { effect: string; met: number }[]
  /** Calls in a round, and megabytes in use after each. */
  round: number
  heaps: number[]
  /** What should not be. */
  wrongs: string[]
}

/** Of a hundred requests so many meet each fault. */
const faults: [percent: number, effect: FaultEffect][] = [
  [3, { status: 429, retryAfter: 0 }],
  [1, { status: 429 }],
  [2, { status: 503, retryAfter: 0 }],
  [1, { status: 503 }],
  [1, { status: 500 }],
  [2, 'refuse_connection'],
  [2, 'cut_before_answer'],
  [2, 'lose_answer'],
  [2, 'cut_mid_body'],
  [1, 'malformed_json'],
  [0.5, 'html'],
  [1, { latency: '2s' }],
  [1, { drift: 'unknown_values' }],
]

/** Calls under way at a time: so many that the client's waits before repetitions lie over each other. */
const concurrency = 1000

/** Of a hundred calls so many go over sockets. */
const servedPercent = 2

/** Of a hundred calls so many are never repeated, so that every outcome is seen. */
const onlyOncePercent = 20

/** Names the call to the journal. */
const header = 'x-soak-call'

/** A call that ended. */
interface Ended {
  call: number
  userId: string
  kind: Kind
  end: 'success' | Outcome
}

/** What a round needs. */
interface Scene {
  team: Team
  inMemory: ServiceClient
  overSockets: ServiceClient
  random: Random
  found: Soaked
}

/**
 * Sends calls of every kind through the client to one mock, with faults on. After each round the team's records and its
 * journal are the judge: what succeeded was done once, what was refused or never sent was not done, and what is unknown
 * was done once at most. Then the team's records go back to their beginning; its faults, time and memory stay.
 */
export async function soak(
  calls: number,
  seed: number,
  told: (line: string) => void = () => {},
): Promise<Soaked> {
  const round = Math.min(25_000, Math.ceil(calls / 4))
  const mock = createMock({ seed, journalLimit: round * 8 })
  const team = mock.defaultTeam
  const beginning = team.snapshot()
  const added = faults.map(([percent, effect]) =>
    team.faults.add({ when: { probability: percent / 100 }, then: effect }),
  )
  await using server = await serve(mock)
  const scene: Scene = {
    team,
    inMemory: new ServiceClient(team.connection()),
    overSockets: new ServiceClient({ apiKey: team.apiKey, baseUrl: server.url }),
    random: new Random(seed),
    found: emptyReport(calls, seed, round),
  }
  const { found } = scene
  const began = performance.now()
  for (let first = 0; first < calls; first += round) {
    judge(await playRound(first, Math.min(calls, first + round), scene), scene)
    team.restore(beginning)
    team.journal.clear()
    found.heaps.push(heap())
    told(`${Math.min(calls, first + round)} calls, ${found.heaps.at(-1)?.toFixed(1)} MB`)
  }
  found.seconds = (performance.now() - began) / 1000
  found.faults = added.map(({ fault: { then }, used }) => ({
    effect: typeof then === 'string' ? then : JSON.stringify(then),
    met: used,
  }))
  return found
}

function emptyReport(calls: number, seed: number, round: number): Soaked {
  const none = { calls: 0, success: 0, 'not-sent': 0, rejected: 0, unknown: 0, succeeded: 0 }
  return {
    seed,
    calls,
    served: 0,
    requests: 0,
    seconds: 0,
    endings: new Map(kinds.map(({ name }) => [name, { ...none }])),
    faults: [],
    round,
    heaps: [],
    wrongs: [],
  }
}

/** Sends the calls of a round, and lets everything happen that they began. */
async function playRound(first: number, end: number, scene: Scene): Promise<Ended[]> {
  const ended: Ended[] = []
  let next = first
  const caller = async () => {
    while (next < end) ended.push(await makeCall(next++, scene))
  }
  await Promise.all(Array.from({ length: concurrency }, caller))
  await scene.team.clock.advance('2d')
  return ended
}

async function makeCall(call: number, { team, random, found, ...clients }: Scene): Promise<Ended> {
  const kind = random.pick(hundred)
  const isServed = random.integer(0, 99) < servedPercent
  if (isServed) found.served += 1
  const userId = `00000000-0000-4000-8000-${call.toString(16).padStart(12, '0')}`
  const client = isServed ? clients.overSockets : clients.inMemory
  const mayRepeat = random.integer(0, 99) >= onlyOncePercent
  const headers = { [header]: String(call) }
  const options = mayRepeat ? { headers } : { headers, maxRetries: 0 }
  kind.prepare?.({ client, team, call, userId, options })
  try {
    const answer = await kind.send({ client, team, call, userId, options })
    if (kind.isRight?.(answer) === false) found.wrongs.push(`${kind.name}: a wrong answer`)
    return { call, userId, kind, end: 'success' }
  } catch (error) {
    if (!(error instanceof ServiceError)) found.wrongs.push(`${kind.name}: threw ${error}`)
    return { call, userId, kind, end: error instanceof ServiceError ? error.outcome : 'unknown' }
  }
}

/** One kind for each of a hundred calls. */
const hundred = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind))

/** Holds how calls ended against the team's records, and against the journal. */
function judge(ended: Ended[], { team, found }: Scene): void {
  const doneBy = new Map(kinds.map((kind) => [kind, kind.done?.(team)]))
  const changing = changingRequests(team)
  found.requests += team.journal.count
  for (const { call, userId, kind, end } of ended) {
    const endings = found.endings.get(kind.name) as Endings // one for every kind
    endings.calls += 1
    endings[end] += 1
    const done = doneBy.get(kind)?.(userId)
    if (done === undefined) continue
    const told = `${kind.name} of call ${call}, which ended with ${end}`
    if (!isAllowed(end, done)) found.wrongs.push(`${told}: done ${done} times`)
    const written = changing.get(call) ?? 0
    if (kind.isUnsafe && written > 1) found.wrongs.push(`${told}: ${written} requests wrote`)
  }
}

/** Megabytes by which the heap grew from the second quarter of a run to its last one. */
export function growth(heaps: readonly number[]): number {
  const quarter = Math.max(1, Math.floor(heaps.length / 4))
  const mean = (part: readonly number[]) => part.reduce((sum, heap) => sum + heap, 0) / part.length
  return mean(heaps.slice(-quarter)) - mean(heaps.slice(quarter, 2 * quarter))
}

function isAllowed(end: Ended['end'], done: number): boolean {
  if (end === 'unknown') return done <= 1
  return done === (end === 'success' || end === 'succeeded' ? 1 : 0)
}

/** How many requests of each call changed a record, by the journal. */
function changingRequests(team: Team): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { request, changes } of team.journal.requests()) {
    if (changes.length === 0) continue
    const call = Number(request.headers[header])
    counts.set(call, (counts.get(call) ?? 0) + 1)
  }
  return counts
}
