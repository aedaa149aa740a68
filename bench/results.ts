import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, type } from 'node:os'
import { type Comparison, drawBars, type Figure, tableOf } from './figure.ts'

interface Result {
  day: string
  commit: string
  machine: string
  processes: number
  figures: Figure[]
}

const file = 'bench/results.json'

const comparisons: readonly Comparison[] = [
  { title: 'A 1 KB call', peers: { 'A 1 KB call: the client / ky(url).json()': 'ky' } },
  {
    title: 'A validated page of 100 markers',
    peers: {
      'A validated page of 100 markers: the client / fetch and json()': 'fetch',
      'A validated page of 100 markers: the client / a generated client (hey-api with zod)':
        'hey-api, zod',
    },
  },
  {
    title: 'A request to the mock in the same process',
    peers: {
      'A request: mock.fetch / a hand-written, stateless MSW handler': 'MSW handler',
      'A request: mock.fetch / Prism': 'Prism',
    },
  },
  {
    title: 'A request to the mock server',
    peers: { 'Requests per second: the server / node:http with a fixed buffer': 'node:http' },
    isSpeed: true,
  },
  {
    title: 'The CPU time from the start of the command to its first response',
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

/** The titles of groups on the page, keyed by the name that `npm run bench` accepts. */
const titles: Readonly<Record<string, string>> = {
  aggregate: 'Aggregate queries (`aggregate`)',
  client: 'Client calls (`client`)',
  explore: 'Runs of `explore` (`explore`)',
  fair: 'Long requests to the mock server (`fair`)',
  history: "A team's history (`history`)",
  import: 'Bulk imports (`import`)',
  living: 'A year of living users (`living`)',
  mock: 'Requests to the mock in the same process (`mock`)',
  month: 'A month of a large team (`month`)',
  parquet: 'Parquet files (`parquet`)',
  peers: 'Comparison with other packages (`peers`)',
  server: 'The mock server (`server`)',
  sync: 'Sync (`sync`)',
}

export function machine(): string {
  const { model = 'unknown' } = cpus()[0] ?? {}
  return `Node ${process.version} on ${type()} with ${cpus().length} CPUs (${model})`
}

/** Replaces the group's earlier figures. */
export function saveResult(group: string, processes: number, figures: Figure[]): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const day = new Date().toISOString().slice(0, 10)
  const results = {
    ...readResults(),
    [group]: { day, commit, machine: machine(), processes, figures },
  }
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`)
}

export function writePages(): void {
  for (const [path, page] of pages()) writeFileSync(path, page)
}

/** Returns the pages, keyed by path: one for each group with an introduction, and one for the other groups. */
export function pages(): Map<string, string> {
  const results = Object.entries(readResults()).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const byPage = Object.groupBy(results, ([group]) =>
    existsSync(introductionOf(group)) ? group : 'benchmarks',
  )
  return new Map(
    Object.entries(byPage).map(([page, found = []]) => [
      `docs/trust/measurements/${page}.md`,
      `${startOf(page, found)}\n${found.map(sectionOf).join('\n')}`,
    ]),
  )
}

/** On the benchmarks page, bars follow the title. */
function startOf(page: string, results: readonly [string, Result][]): string {
  const introduction = readFileSync(introductionOf(page), 'utf8')
  if (page !== 'benchmarks') return introduction
  const [title = '', ...text] = introduction.split('\n')
  const bars = drawBars(
    comparisons,
    results.flatMap(([, { figures }]) => figures),
  )
  return `${title}\n\nThese charts compare costs with those of this package: the time per request for the mock server, and CPU time for everything else. Shorter bars are better.\n\n${bars}\n${text.join('\n')}`
}

function introductionOf(page: string): string {
  return page === 'benchmarks' ? 'bench/introduction.md' : `bench/${page}/introduction.md`
}

function sectionOf([group, { day, commit, machine, processes, figures }]: [string, Result]) {
  const measured = `measured on ${day} at commit ${commit} in ${processes === 1 ? 'one process' : `${processes} processes`}, with ${machine}`
  return `${titles[group] ?? `\`${group}\``}, ${measured}:\n\n${tableOf(figures)}\n`
}

function readResults(): Record<string, Result> {
  // Written by saveResult.
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Result>) : {}
}
