import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMock, type Team } from '../../mock/index.ts'
import { Random } from '../../mock/reference-data/random.ts'
import { serve } from '../../mock/server.ts'
import { readLines, type WorkerTask } from './task.ts'

export interface CrashReport {
  kills: number
  /** The number of orders that the workers wanted to create. */
  orders: number
  /** The number of requests that the service received, including retries after a crash. */
  requests: number
  /** The workers' ids of orders that are missing, duplicate or recorded incorrectly. */
  problems: string[]
}

interface Killing {
  /** The number of signs of life before the signal: lines written, requests handled, orders created. */
  after: number
  /** The delay from the sign of life to the signal, in milliseconds. */
  delay: number
}

/**
 * Kills a process at random points around `orders.create`, restarts it, and compares the orders in the service with the
 * ones that the process wanted to create.
 *
 * @param jitter The maximum delay from a sign of life to the signal, in milliseconds.
 */
export async function crash(kills: number, seed: number, jitter: number): Promise<CrashReport> {
  const random = new Random(seed)
  const folder = mkdtempSync(join(tmpdir(), 'crashes-'))
  await using server = await serve(createMock({ clock: 'realtime', seed }))
  const team = server.mock.defaultTeam
  team.faults.add({ on: 'orders.create', when: { probability: 0.1 }, then: 'lose_response' })
  const task: WorkerTask = {
    baseUrl: server.url,
    apiKey: team.apiKey,
    labTest: team.catalogue.labTests.list()[0]?.id ?? '',
    file: join(folder, 'orders.jsonl'),
    last: Number.MAX_SAFE_INTEGER,
  }
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      await runWorker(task, team, {
        after: random.integer(1, 8),
        delay: Math.floor(random.next() * jitter),
      })
    }
    const wanted = new Set(readLines(task.file).map(({ own }) => own))
    await runWorker({ ...task, last: wanted.size }, team)
    const problems = findProblems([...wanted], task.file, team)
    return { kills, orders: wanted.size, requests: team.journal.count, problems }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The worker runs until it ends if `killing` is undefined. */
async function runWorker(task: WorkerTask, team: Team, killing?: Killing): Promise<void> {
  const worker = fork(new URL('worker.ts', import.meta.url), [JSON.stringify(task)])
  let signs = 0
  const addSign = () => {
    signs += 1
    if (signs === killing?.after) setTimeout(() => worker.kill('SIGKILL'), killing.delay)
    return {}
  }
  worker.on('message', addSign)
  const removeOverride = team.override('orders.create', addSign)
  const [code] = await once(worker, 'exit')
  removeOverride()
  if (code !== 0 && !killing) throw new Error('The last worker failed.')
}

function findProblems(wanted: string[], file: string, team: Team): string[] {
  const orders = Map.groupBy(team.orders.list(), ({ patient_address }) => {
    return String(patient_address.access_notes)
  })
  const recorded = new Map(readLines(file).flatMap(({ own, id }) => (id ? [[own, id]] : [])))
  const isCorrect = (own: string) => {
    const found = orders.get(own) ?? []
    return found.length === 1 && found[0]?.id === recorded.get(own)
  }
  const unwanted = [...orders.keys()].filter((own) => !wanted.includes(own))
  return [...unwanted, ...wanted.filter((own) => !isCorrect(own))]
}
