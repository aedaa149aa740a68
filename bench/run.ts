import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import {
  type Comparison,
  drawBars,
  type Figure,
  isWithin,
  mediansOf,
  tableOf,
  unsteadyFigures,
} from './figure.ts'

/**
 * Runs the benchmarks and prints a table: `npm run bench`, or `npm run bench aggregate` for one part. `--save` also writes
 * their pages below docs/trust/measurements, unless the ratios of three processes differ; `--bounded` uses smaller sizes where a part has them. Every part runs in its
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

/** How many processes measure figures that are saved. */
const savedProcesses = 3

/** The comparisons at the start of the page. */
const comparisons: readonly Comparison[] = [
  { title: 'A 1 KB call', peers: { 'A 1 KB call: the client / ky(url).json()': 'ky' } },
  {
    title: 'A checked page of 100 records',
    peers: {
      'A validated page of 100 markers: the client / fetch and json()': 'fetch',
      'A validated page of 100 markers: the client / a generated client (hey-api with zod)':
        'hey-api, zod',
    },
  },
  {
    title: 'A request to the mock in the same process',
    peers: {
      'A request: mock.fetch / a hand-written MSW handler without state': 'MSW handler',
      'A request: mock.fetch / Prism': 'Prism',
    },
  },
  {
    title: 'A request to the served mock',
    peers: { 'Requests per second: the server / node:http with a fixed buffer': 'node:http' },
    isSpeed: true,
  },
  {
    title: 'From the start of the command to its first response',
    peers: {
      'CPU time until the first response: the command / a bare node:http server': 'node:http',
    },
  },
  {
    title: 'An aggregate query over 1,000,000 rows',
    peers: {
      'Hourly means of two columns over 1,000,000 rows: the engine / DuckDB (1 thread)': 'DuckDB',
    },
  },
]

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
    const runs = Array.from({ length: options.save ? savedProcesses : 1 }, () =>
      files.flatMap((file) => measurePart(file, options.bounded)),
    )
    const found = mediansOf(runs)
    console.log(`${tableOf(found)}\n`)
    const unsteady = unsteadyFigures(runs)
    if (unsteady.length > 0)
      console.error(`Not saved, because other programs run:\n${unsteady.join('\n')}`)
    else if (options.save) writePage(page, machine, found)
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

function writePage(page: string, machine: string, figures: Figure[]): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const day = new Date().toISOString().slice(0, 10)
  const introduction = readFileSync(introductionOf(page), 'utf8')
  const [title = '', ...text] = introduction.split('\n')
  const head = `${title}\n\nCPU time, as a multiple of this package's:\n\n${drawBars(comparisons, figures)}\n`
  const start = page === 'benchmarks' ? head + text.join('\n') : introduction
  writeFileSync(
    `docs/trust/measurements/${page}.md`,
    `${start}\nMeasured on ${day} at commit ${commit}, with ${machine}:\n\n${tableOf(figures)}\n`,
  )
}
