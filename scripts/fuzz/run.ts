import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Target } from './target.ts'
import { targets } from './targets.ts'

/**
 * Tests code with random input: `npm run lab fuzz`, or `npm run lab fuzz where -- --runs 100000 --seed 7`. Each target
 * runs in its own process with limited time and memory. With `--minutes 10`, each target runs again with the next seeds
 * until the time is over. Prints the seed and the input of a failure, and exits with 1.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    minutes: { type: 'string', default: '0' },
    /** Set only by this program: the file that receives the number of the current run. */
    child: { type: 'string' },
  },
})
const runs = Number(values.runs)
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
const minutes = Number(values.minutes)
const [wanted = ''] = positionals
const selected = targets.filter(({ name }) => wanted === '' || name === wanted)

/**
 * `perRun`: the CPU time in seconds that each run adds to the limit of one minute. `realTime`: the factor for the limit
 * in real time.
 */
const limits = { perRun: 0.05, realTime: 20 }
/** The maximum memory of a target, in megabytes. */
const maxMemory = 1024

const isValid = Number.isInteger(runs) && runs >= 1 && Number.isInteger(seed) && minutes >= 0

if (selected.length === 0 || !isValid) {
  const names = targets.map(({ name }) => name).join(', ')
  console.error(
    `Expected whole numbers for --runs and --seed, a number for --minutes, and one of these targets: ${names}`,
  )
  process.exitCode = 1
} else if (values.child !== undefined) {
  process.exitCode = (await runChild(selected[0] as Target, values.child)) ? 0 : 1
} else {
  console.log('| Target | Runs | Seed | Seconds | MB | |\n|---|---|---|---|---|---|')
  const failed = selected.filter((target) => !passesInTime(target))
  process.exitCode = failed.length === 0 ? 0 : 1
}

/** Runs the target at least once. */
function passesInTime(target: Target): boolean {
  const end = performance.now() + minutes * 60_000
  for (let next = seed; ; next += 1) {
    if (!passes(target, next)) return false
    if (performance.now() >= end) return true
  }
}

/** Runs the target in another process, which may crash or hang. */
function passes({ name }: Target, seed: number): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-'))
  const runFile = join(folder, 'run')
  const parameters = [name, '--runs', String(runs), '--seed', String(seed)]
  const start = performance.now()
  const limit = Math.ceil(60 + runs * limits.perRun)
  const command = [process.execPath, 'scripts/fuzz/run.ts', ...parameters, '--child', runFile]
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', 'ulimit -t "$0" && exec "$@"', String(limit), ...command],
    { encoding: 'utf8', timeout: limit * 1000 * limits.realTime, maxBuffer: 1 << 26 },
  )
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const run = existsSync(runFile) ? readFileSync(runFile, 'utf8').trim() : '0'
  rmSync(folder, { recursive: true })
  const memory = /^(\d+) MB$/m.exec(stdout)?.[1] ?? 'unknown'
  const hasPassed = status === 0 && Number(memory) <= maxMemory
  const verdict = hasPassed ? 'passed' : 'FAILED'
  console.log(`| ${name} | ${run} | ${seed} | ${seconds} | ${memory} | ${verdict} |`)
  if (hasPassed) return true
  console.error(`${stdout}${stderr}`)
  if (status === null) console.error(`Run ${run} did not end within the time limit.`)
  if (Number(memory) > maxMemory) console.error(`It used more than ${maxMemory} MB.`)
  console.error(`To run it again: npm run lab fuzz -- ${parameters.join(' ')}`)
  return false
}

/** Writes the number of each run to `runFile`. */
async function runChild({ check }: Target, runFile: string): Promise<boolean> {
  const file = openSync(runFile, 'w')
  const failure = await check({ seed, runs, onRun: (run) => writeSync(file, String(run), 0) })
  closeSync(file)
  console.log(`${Math.round(process.resourceUsage().maxRSS / 1024)} MB`)
  if (!failure) return true
  console.error(`Input: ${failure.input}`)
  console.error(failure.error)
  return false
}
