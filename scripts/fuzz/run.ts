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
 * Gives odd input to what reads input: `npm run fuzz`, or `npm run fuzz where -- --runs 100000 --seed 7`. Each target
 * runs in a process of its own, with bounded time and memory. Prints seed and input of what fails, and ends with 1.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    /** Used by this program itself. */
    child: { type: 'string' },
  },
})
const runs = Number(values.runs)
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
const [wanted = ''] = positionals
const chosen = targets.filter(({ name }) => wanted === '' || name === wanted)

/** Milliseconds that a target may take for each run, on average, with a minute to begin with. */
const timeForRun = 50
/** Megabytes that a target may ever hold. */
const greatestMemory = 1024

if (chosen.length === 0 || !Number.isInteger(runs) || runs < 1 || !Number.isInteger(seed)) {
  const names = targets.map(({ name }) => name).join(', ')
  console.error(`Expected whole numbers for --runs and --seed, and one of these targets: ${names}`)
  process.exitCode = 1
} else if (values.child !== undefined) {
  process.exitCode = (await child(chosen[0] as Target, values.child)) ? 0 : 1
} else {
  console.log('| Target | Runs | Seed | Seconds | MB | |\n|---|---|---|---|---|---|')
  const failed = chosen.filter((target) => !isPassed(target))
  process.exitCode = failed.length === 0 ? 0 : 1
}

/** Runs a target in another process, which it can fill or never leave, and tells of it. */
function isPassed({ name }: Target): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-'))
  const notes = join(folder, 'run')
  const again = [name, '--runs', String(runs), '--seed', String(seed)]
  const began = performance.now()
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['scripts/fuzz/run.ts', ...again, '--child', notes],
    { encoding: 'utf8', timeout: 60_000 + runs * timeForRun, maxBuffer: 1 << 26 },
  )
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const run = existsSync(notes) ? readFileSync(notes, 'utf8').trim() : '0'
  rmSync(folder, { recursive: true })
  const memory = /^(\d+) MB$/m.exec(stdout)?.[1] ?? 'unknown'
  const hasPassed = status === 0 && Number(memory) <= greatestMemory
  const verdict = hasPassed ? 'passed' : 'FAILED'
  console.log(`| ${name} | ${run} | ${seed} | ${seconds} | ${memory} | ${verdict} |`)
  if (hasPassed) return true
  console.error(`${stdout}${stderr}`)
  if (status === null) console.error(`It never came back from its run ${run}.`)
  if (Number(memory) > greatestMemory) console.error(`It took more than ${greatestMemory} MB.`)
  console.error(`Again: npm run fuzz -- ${again.join(' ')}`)
  return false
}

/** Runs a target here; `notes` is the file that tells how far it is. */
async function child({ check }: Target, notes: string): Promise<boolean> {
  const file = openSync(notes, 'w')
  const failure = await check({ seed, runs, begins: (run) => writeSync(file, String(run), 0) })
  closeSync(file)
  console.log(`${Math.round(process.resourceUsage().maxRSS / 1024)} MB`)
  if (!failure) return true
  console.error(`Input: ${failure.input}`)
  console.error(failure.error)
  return false
}
