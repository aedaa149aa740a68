import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { type Figure, isWithin, tableOf } from './figure.ts'

/**
 * Runs the benchmarks and prints a table: `npm run bench`, or `npm run bench aggregate` for one part. `--save` also writes
 * their pages below docs/trust/measurements; `--bounded` uses smaller sizes where a part has them. Every part runs in its
 * own process. Exits with 1 if a figure exceeds its limit, except with `--report-only`, for busy machines.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    part: { type: 'string' },
    save: { type: 'boolean' },
    bounded: { type: 'boolean', default: false },
    'report-only': { type: 'boolean', default: false },
  },
})

/** The limit of one part in milliseconds. A year of 100 living users takes more than an hour. */
const limit = 120 * 60_000

const parts = globSync('bench/*.bench.ts').toSorted()

if (values.part) {
  const { default: measure } = (await import(pathToFileURL(values.part).href)) as {
    default: (isBounded: boolean) => Figure[] | Promise<Figure[]>
  }
  console.log(JSON.stringify(await measure(values.bounded)))
} else {
  process.exitCode = measureAll(positionals, values) ? 0 : 1
}

function measureAll(names: string[], options: typeof values): boolean {
  const unknown = names.find((name) => !parts.some((file) => nameOf(file) === name))
  if (unknown !== undefined) {
    console.error(`Unknown part ${unknown}. Parts: ${parts.map(nameOf).join(', ')}.`)
    return false
  }
  const wanted = parts.filter((file) => names.length === 0 || names.includes(nameOf(file)))
  const { model = 'unknown' } = cpus()[0] ?? {}
  const machine = `Node ${process.version} on ${process.platform}, ${cpus().length} x ${model}`
  console.log(`${machine}\n`)
  const figures = Object.entries(Object.groupBy(wanted, pageOf)).flatMap(([page, files = []]) => {
    const found = files.flatMap((file) => measurePart(file, options.bounded))
    console.log(`${tableOf(found)}\n`)
    if (options.save) writePage(page, machine, tableOf(found))
    return found
  })
  return options['report-only'] || figures.every(isWithin)
}

/** Returns the name of the page of a part: its own one if the part has an introduction. */
function pageOf(file: string): string {
  return existsSync(introductionOf(nameOf(file))) ? nameOf(file) : 'benchmarks'
}

function introductionOf(page: string): string {
  return page === 'benchmarks' ? 'bench/introduction.md' : `bench/${page}/introduction.md`
}

function nameOf(file: string): string {
  return basename(file, '.bench.ts')
}

function measurePart(file: string, isBounded: boolean): Figure[] {
  process.stderr.write(`${file}\n`)
  const { stdout, status, signal } = spawnSync(
    process.execPath,
    ['--expose-gc', 'bench/run.ts', '--part', file, ...(isBounded ? ['--bounded'] : [])],
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

function writePage(page: string, machine: string, table: string): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const day = new Date().toISOString().slice(0, 10)
  const introduction = readFileSync(introductionOf(page), 'utf8')
  writeFileSync(
    `docs/trust/measurements/${page}.md`,
    `${introduction}\nMeasured on ${day} at commit ${commit}, with ${machine}:\n\n${table}\n`,
  )
}
