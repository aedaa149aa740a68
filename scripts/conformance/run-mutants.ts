import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { isSelected } from '../../src/conformance/run.ts'
import {
  type CallsOfCase,
  canSee,
  casesFor,
  type Mutant,
  recordCalls,
  runMutant,
} from '../../test/conformance/mutant.ts'
import { mutants } from '../../test/conformance/mutants.ts'
import { subtleClasses } from '../../test/conformance/subtle/subtle.ts'
import { variations } from '../../test/conformance/subtle/variations.ts'

/**
 * Runs each mutant until a case detects it, on all cores, and prints counts by class: `npm run lab mutants`, or `npm run
 * lab mutants page` for the mutants with this name, rule or class, and the cases that fail. Exits with 1 if a mutant
 * survives without a stated reason, a control is found, or a run takes longer than its limit.
 */
const wanted = process.argv.slice(2).join(' ')
const classes: Readonly<Record<string, readonly Mutant[]>> = {
  rules: mutants.filter(({ rule }) => rule !== undefined),
  ...subtleClasses,
  'legal variations': mutants.filter(({ rule }) => rule === undefined),
  'further legal variations': variations,
}
const selected = Object.entries(classes).flatMap(([name, all]) =>
  all
    .filter((one) => `${name} ${one.rule ?? ''} ${one.name}`.includes(wanted))
    .map((mutant) => ({ name, mutant })),
)
/**
 * The limits in seconds of CPU time: for all cases against the mock, and for all mutants per core, which is the real
 * time on an idle machine.
 */
const limits = { suite: 15, mutants: 240 }
const cores = availableParallelism()
let isSlow = false
if (isMainThread) await runAll()
else for await (const index of indices()) parentPort?.postMessage(await outcomeOf(index))

interface Outcome {
  index: number
  reasons: readonly string[]
}

async function runAll(): Promise<void> {
  const start = process.cpuUsage()
  const calls = await recordCalls()
  report(`${calls.size} cases against the mock`, { start, limit: limits.suite })
  const before = process.cpuUsage()
  const outcomes = await shareOut(calls)
  let unexpected = 0
  for (const [name, all] of Map.groupBy(selected.entries(), ([, one]) => one.name)) {
    const found = all.filter(([index]) => (outcomes[index] ?? []).length > 0).length
    for (const [index, { mutant }] of all) {
      const reasons = outcomes[index] ?? []
      const isExpected = reasons.length > 0 === (mutant.rule !== undefined)
      if (!isExpected && mutant.survives === undefined) unexpected += 1
      if (wanted !== '' || !isExpected) print(mutant, reasons)
    }
    console.log(`${name}: ${all.length}, ${found} found`)
  }
  report(`${selected.length} mutants and controls`, { start: before, limit: limits.mutants, cores })
  process.exitCode = selected.length > 0 && unexpected === 0 && !isSlow ? 0 : 1
}

/** Returns each mutant's reasons. Each worker gets the next mutant when it is free. */
async function shareOut(calls: CallsOfCase): Promise<readonly string[][]> {
  const outcomes: string[][] = []
  let next = 0
  const workers = Array.from({ length: cores }, async () => {
    const worker = new Worker(new URL(import.meta.url), { workerData: calls, argv: [wanted] })
    const send = () => worker.postMessage(next < selected.length ? next++ : null)
    worker.on('message', ({ index, reasons }: Outcome) => {
      outcomes[index] = [...reasons]
      send()
    })
    send()
    await once(worker, 'exit')
  })
  await Promise.all(workers)
  return outcomes
}

/** Receives the indices of mutants until it receives null. */
async function* indices(): AsyncGenerator<number> {
  for (;;) {
    const index: number | null = await new Promise((resolve) =>
      parentPort?.once('message', resolve),
    )
    if (index === null) return
    yield index
  }
}

async function outcomeOf(index: number): Promise<Outcome> {
  const mutant = selected[index]?.mutant as Mutant
  // Workers receive a structured clone of the calls that the main thread recorded.
  const calls = workerData as CallsOfCase
  const only = [...calls]
    .filter(([id, lines]) => isSelected({ id }, casesFor(mutant)) && canSee(lines, mutant))
    .map(([id]) => id)
  // Without ids, all cases would run.
  if (only.length === 0) return { index, reasons: [] }
  const how = { only, assumptions: mutant.assumes ?? false, bail: wanted === '' }
  const { results } = await runMutant(mutant, how)
  const failed = results.filter(({ outcome }) => outcome === 'failed')
  return { index, reasons: failed.map(({ id, reason }) => `${id}: ${reason}`) }
}

function report(what: string, { start, limit, cores = 1 }: Measurement): void {
  const { user, system } = process.cpuUsage(start)
  const seconds = (user + system) / 1e6 / cores
  if (seconds > limit) isSlow = true
  const unit = cores === 1 ? 's of CPU' : `s of CPU for each of ${cores} cores`
  console.log(`${what}: ${seconds.toFixed(1)} ${unit} (limit: ${limit} s)`)
}

interface Measurement {
  start: NodeJS.CpuUsage
  /** The limit in seconds. */
  limit: number
  cores?: number
}

function print({ rule = '-', name, survives }: Mutant, reasons: readonly string[]): void {
  console.log(`${rule}  a mock that ${name}`)
  for (const reason of reasons.slice(0, 3)) console.log(`          ${reason}`)
  if (reasons.length === 0 && survives !== undefined) console.log(`          ${survives}`)
}
