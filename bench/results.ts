import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, type } from 'node:os'
import { type Figure, tableOf } from './figure.ts'

interface Result {
  day: string
  commit: string
  machine: string
  processes: number
  figures: Figure[]
}

const file = 'bench/results.json'

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
      page === 'benchmarks' ? benchmarksPage(found) : groupPage(page, found),
    ]),
  )
}

/** Each group has a heading. Notes follow the tables. */
function benchmarksPage(results: readonly [string, Result][]): string {
  const sections = results.map((result) => `### ${titleOf(result)}\n\n${sectionOf(result)}`)
  const [introduction, notes] = ['bench/introduction.md', 'bench/notes.md'].map(readText)
  return `${introduction}\n${sections.join('\n')}\n${notes}`
}

function groupPage(page: string, results: readonly [string, Result][]): string {
  return `${readText(introductionOf(page))}\n${results.map(sectionOf).join('\n')}`
}

function introductionOf(page: string): string {
  return `bench/${page}/introduction.md`
}

function titleOf([group]: [string, Result]): string {
  return titles[group] ?? `\`${group}\``
}

function sectionOf([, { day, commit, machine, processes, figures }]: [string, Result]): string {
  const runs = processes === 1 ? 'one process' : `${processes} processes`
  return `Measured on ${day} at commit ${commit} in ${runs}, with ${machine}:\n\n${tableOf(figures)}\n`
}

function readText(file: string): string {
  return readFileSync(file, 'utf8')
}

function readResults(): Record<string, Result> {
  // Written by saveResult.
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Result>) : {}
}
