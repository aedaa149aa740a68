import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { createMock } from '../../mock/index.ts'
import { Random } from '../../mock/reference-data/random.ts'
import { serve } from '../../mock/server.ts'
import { bundleWorker } from '../bundle-worker.ts'
import { openStore } from './open-store.ts'
import type { StorePlace, Wanted, WorkerLine, WorkerTask } from './task.ts'
import { findProblem, Workload } from './workload.ts'

export interface KillReport {
  /** The number of kills at a boundary, and at a random moment. */
  kills: { boundary: number; random: number }
  writes: number
  imports: number
  requests: number
  /** The number of writes that a person must check. */
  unresolved: number
  problems: string[]
}

export interface KillPlan {
  place: StorePlace
  /** The number of concurrent workers. */
  processes: number
  kills: number
  /** The value of `performance.now()` after which no more workers are killed. */
  end: number
  seed: number
  imports: number
  recipes: number
}

/** The number of open writes, and the number that each worker gets. */
const window = { open: 16, perWorker: 6 }

/** The share of workers that continue the current import. */
const importShare = 0.5

/**
 * The share of kills at a boundary, and the number of the last such boundary. By then, most writes of a worker have
 * ended.
 */
const atBoundary = { share: 0.75, last: 24 }

/** The maximum delay from a worker's first boundary to a kill at a random moment, in milliseconds. */
const longestDelay = 200

/**
 * The number of workers after which a write is left to the last workers. Following a booking takes longer than most
 * workers live.
 */
const longest = 6

/** Completes all writes after the kills, and compares the service with the store. */
export async function kill(plan: KillPlan): Promise<KillReport> {
  const random = new Random(plan.seed)
  const folder = mkdtempSync(join(tmpdir(), 'kills-'))
  await using served = await serve(createMock({ clock: 'realtime', seed: plan.seed }))
  const team = served.mock.defaultTeam
  const workload = new Workload(team, plan.recipes)
  const connection = { baseUrl: served.url, apiKey: team.apiKey, place: plan.place }
  const open = new Map<Wanted, number>()
  const ended = new Set<string>()
  const kills = { boundary: 0, random: 0 }
  const total = () => kills.boundary + kills.random
  let workers = 0
  let imports = 0

  const refill = () => {
    for (const [wanted, uses] of open) {
      const isLong = wanted.kind !== 'import' && uses >= longest
      if (ended.has(wanted.id) || isLong) open.delete(wanted)
    }
    const isDue = imports < (plan.imports * total()) / plan.kills
    const hasImport = [...open.keys()].some(({ kind }) => kind === 'import')
    if (isDue && !hasImport) {
      imports += 1
      open.set(workload.add('import'), 0)
    }
    while (open.size < window.open) {
      const kinds = ['order', 'order', 'booking', 'insurance'] as const
      open.set(workload.add(kinds[random.integer(0, 3)] ?? 'order'), 0)
    }
  }

  const choose = (): Wanted[] => {
    refill()
    const chosen = [...open.keys()]
      .map((wanted) => ({ wanted, order: random.next() }))
      // Reading thousands of recipes takes longer than all other writes of a worker.
      .filter(({ wanted, order }) => wanted.kind !== 'import' || order < importShare)
      .toSorted((one, other) => one.order - other.order)
      .slice(0, window.perWorker)
      .map(({ wanted }) => wanted)
    for (const wanted of chosen) open.set(wanted, (open.get(wanted) ?? 0) + 1)
    return chosen
  }

  const run = async (task: Pick<WorkerTask, 'writes' | 'isLast' | 'killAt'>): Promise<End> => {
    workers += 1
    const file = join(folder, `task-${workers}.json`)
    writeFileSync(file, JSON.stringify({ ...connection, ...task } satisfies WorkerTask))
    const isRandom = !task.isLast && task.killAt === undefined
    const delay = isRandom ? random.next() * longestDelay : undefined
    const result = await runWorker(file, { delay, ended: (id) => ended.add(id) })
    rmSync(file)
    return result
  }

  const killInTurn = async () => {
    while (total() < plan.kills && performance.now() < plan.end) {
      const isAtBoundary = random.next() < atBoundary.share
      const killAt = isAtBoundary ? random.integer(1, atBoundary.last) : undefined
      const end = await run({ writes: choose(), isLast: false, killAt })
      if (end === 'completed') continue
      kills[end] += 1
      if (total() % 100 === 0) console.error(`${plan.place.kind}: ${total()} kills`)
    }
  }

  try {
    // Fill the cache of compiled code, because a killed process does not write it.
    const first = (['order', 'booking', 'insurance'] as const).map((kind) => workload.add(kind))
    await run({ writes: first, isLast: true })
    await Promise.all(Array.from({ length: plan.processes }, killInTurn))
    const left = workload.all.filter(({ id }) => !ended.has(id))
    await Promise.all(
      Array.from({ length: plan.processes }, () => run({ writes: left, isLast: true })),
    )
    const { store, close } = await openStore(plan.place)
    const effects = workload.effects()
    const problems: string[] = []
    for (const wanted of workload.all) {
      const problem = findProblem(wanted, await store.read(wanted.id), effects)
      if (problem) problems.push(problem)
    }
    const unresolved = (await store.open(workload.all.length)).length
    await close()
    const { count: requests } = team.journal
    return { kills, writes: workload.all.length, imports, requests, unresolved, problems }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** How a worker ended: killed at its boundary, killed at a random moment, or completed. */
type End = 'boundary' | 'random' | 'completed'

interface Watching {
  /** The delay from the first boundary to the signal, in milliseconds. If undefined, no signal is sent. */
  delay: number | undefined
  ended: (id: string) => void
}

/** A bundle, which starts faster than its modules. */
const program = join(import.meta.dirname, '../../scratch/kills/worker.mjs')

export async function buildWorker(): Promise<void> {
  await bundleWorker(join(import.meta.dirname, 'worker.ts'), program)
}

async function runWorker(file: string, { delay, ended }: Watching): Promise<End> {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(dirname(file), 'cache') }
  const worker = spawn(process.execPath, [program, file], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let timer: NodeJS.Timeout | undefined
  const exited = once(worker, 'exit')
  const lines = createInterface({ input: worker.stdout })
  lines.on('line', (text) => {
    const line: WorkerLine = JSON.parse(text)
    if ('ended' in line) ended(line.ended)
    else if (delay !== undefined) timer = setTimeout(() => worker.kill('SIGKILL'), delay)
  })
  const [code, signal] = await exited
  clearTimeout(timer)
  if (signal === 'SIGKILL') return delay === undefined ? 'boundary' : 'random'
  if (code !== 0) throw new Error(`A worker failed with the code ${code}.`)
  return 'completed'
}
