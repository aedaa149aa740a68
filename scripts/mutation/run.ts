import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { describeRun } from '../../bench/machine.ts'
import { type Group, groups } from './groups.ts'
import { type Mutant, mutate, toOneLine } from './mutate.ts'
import { type GroupResult, pageOf, reasonOf, scoreOf } from './page.ts'

/**
 * Runs the tests on every mutant that Stryker creates: `npm run lab mutation`, or `npm run lab mutation clock events`
 * for some groups. `--bounded` runs only the quick groups, and `--survivors` only the lines that had survivors in the
 * last run. `--write` also writes docs/trust/measurements/mutation.md from the last results of all groups; `--page`
 * only writes it. Exits with 1 if a score is too low, or if a survivor on the page has no reason in survivors.json.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    bounded: { type: 'boolean', default: false },
    survivors: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
  },
})

/** The minimum score of a group. */
const minScore = 85

const known = groups.map(({ name }) => name)
const unknown = positionals.find((name) => !known.includes(name))
if (unknown === undefined) process.exitCode = (await run(wantedGroups())) ? 0 : 1
else {
  console.error(`Unknown group ${unknown}. Groups: ${known.join(', ')}.`)
  process.exitCode = 1
}

function wantedGroups(): Group[] {
  if (values.page) return []
  if (values.bounded) return groups.filter(({ isBounded }) => isBounded)
  return groups.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
}

async function run(wanted: Group[]): Promise<boolean> {
  let isHighEnough = true
  if (wanted.length > 0) console.log('| Group | Mutants | Score | |\n|---|---|---|---|')
  for (const group of wanted) {
    const mutants = values.survivors ? await mutateSurvivors(group) : await mutate(group)
    saveResult({ name: group.name, run: describeRun(), mutants })
    const score = scoreOf(mutants)
    isHighEnough &&= score >= minScore
    const verdict = score >= minScore ? 'passed' : `TOO LOW: at least ${minScore}`
    console.log(`| ${group.name} | ${mutants.length} | ${score.toFixed(1)} | ${verdict} |`)
    printUnexplained(mutants)
  }
  return values.write || values.page ? write() && isHighEnough : isHighEnough
}

/** Returns the group's latest result, with new results for the lines that had survivors. */
async function mutateSurvivors(group: Group): Promise<Mutant[]> {
  const { mutants } = JSON.parse(readFileSync(resultFile(group.name), 'utf8')) as GroupResult
  const survivors = mutants.filter(({ isKilled }) => !isKilled)
  const updated = await mutate({ ...group, mutate: [...new Set(survivors.map(linesOf))] })
  return mutants.map((old) => updated.find((mutant) => isSame(old, mutant)) ?? old)
}

/**
 * Returns a pattern for the lines of a mutant, because Stryker only changes code that is completely within the given
 * lines.
 */
function linesOf({ file, line, original }: Mutant): string {
  const lines = readFileSync(file, 'utf8').split('\n')
  const contains = (last: number) =>
    toOneLine(lines.slice(line - 1, last).join('\n')).includes(original)
  let last = line
  while (last < lines.length && !contains(last)) last += 1
  return `${file}:${line}-${last}`
}

function isSame(one: Mutant, other: Mutant): boolean {
  const names = ['file', 'line', 'original', 'replacement'] as const
  return names.every((name) => one[name] === other[name])
}

function printUnexplained(mutants: Mutant[]): void {
  for (const mutant of mutants.filter((one) => !one.isKilled && reasonOf(one) === undefined)) {
    const { file, line, original, replacement } = mutant
    console.error(`  ${file}:${line} survives: ${original} -> ${replacement}`)
  }
}

function resultFile(name: string): string {
  return `scratch/mutation/${name}.json`
}

function saveResult(result: GroupResult): void {
  mkdirSync('scratch/mutation', { recursive: true })
  writeFileSync(resultFile(result.name), JSON.stringify(result))
}

/** Returns whether every survivor has a reason. */
function write(): boolean {
  const missing = known.filter((name) => !existsSync(resultFile(name)))
  if (missing.length > 0) {
    console.error(
      `Some groups have no results. Run first: npm run lab mutation ${missing.join(' ')}`,
    )
    return false
  }
  const results = known.map(
    (name) => JSON.parse(readFileSync(resultFile(name), 'utf8')) as GroupResult,
  )
  writeFileSync('docs/trust/measurements/mutation.md', pageOf(results))
  const survivors = results.flatMap(({ mutants }) => mutants).filter(({ isKilled }) => !isKilled)
  return survivors.every((mutant) => reasonOf(mutant) !== undefined)
}
