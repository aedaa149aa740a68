import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { type Figure, isWithin, mediansOf, tableOf, unsteadyFigures } from './figure.ts'
import { machine, saveResult, writePages } from './results.ts'

/**
 * Runs groups of benchmarks and prints a table for each: `npm run bench`, or `npm run bench aggregate` for one group.
 * Each group with ratios is measured in several processes, such as `--processes 9`; the table shows the median and the
 * spread of each ratio. Other groups run once. `--full` uses the largest sizes. `--save` also writes the pages below
 * docs/trust/measurements, unless a ratio differs too much between processes. Exits with 1 if a figure exceeds its
 * limit.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    part: { type: 'string' },
    processes: { type: 'string', default: '3' },
    full: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
  },
})

/** The time limit for one process, in milliseconds. A year of 100 living users takes more than an hour. */
const limit = 120 * 60_000

const parts = globSync('bench/*.bench.ts').toSorted()

if (values.part) {
  const { default: measure } = (await import(pathToFileURL(values.part).href)) as {
    default: (isFull: boolean) => Figure[] | Promise<Figure[]>
  }
  console.log(JSON.stringify(await measure(values.full)))
} else {
  process.exitCode = measureAll(positionals) ? 0 : 1
}

function measureAll(names: string[]): boolean {
  const unknown = names.find((name) => !parts.some((file) => groupOf(file) === name))
  if (unknown !== undefined) {
    console.error(`Unknown group ${unknown}. Groups: ${parts.map(groupOf).join(', ')}.`)
    return false
  }
  console.log(`${machine()}\n`)
  const wanted = parts.filter((file) => names.length === 0 || names.includes(groupOf(file)))
  const areWithin = wanted.map((file) => measureGroup(file))
  return areWithin.every(Boolean)
}

/** Returns whether every figure is within its limit. */
function measureGroup(file: string): boolean {
  const group = groupOf(file)
  const started = performance.now()
  const runs = [measurePart(file)]
  // Only ratios have a spread.
  const haveRatio = runs[0]?.some(({ ratio }) => ratio !== undefined)
  while (haveRatio && runs.length < Number(values.processes)) runs.push(measurePart(file))
  const figures = mediansOf(runs)
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  console.log(`${group}, ${runs.length} processes, ${seconds} s:\n\n${tableOf(figures)}\n`)
  if (values.save) {
    const unsteady = unsteadyFigures(figures)
    if (unsteady.length > 0) {
      console.error(`Not saved, because these ratios vary too much:\n${unsteady.join('\n')}\n`)
    } else {
      saveResult(group, runs.length, figures)
      writePages()
    }
  }
  return figures.every(isWithin)
}

function groupOf(file: string): string {
  return basename(file, '.bench.ts')
}

function measurePart(file: string): Figure[] {
  process.stderr.write(`${file}\n`)
  const { stdout, status, signal } = spawnSync(
    process.execPath,
    ['--expose-gc', 'bench/run.ts', '--part', file, ...(values.full ? ['--full'] : [])],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 26, timeout: limit },
  )
  if (status !== 0) {
    const reason = signal
      ? `reached the limit of ${limit / 60_000} minutes`
      : `exited with ${status}`
    throw new Error(`${file} ${reason}. Its output:\n${stdout}`)
  }
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '[]') as Figure[]
}
