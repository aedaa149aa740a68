import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { describeRun } from '../../bench/machine.ts'
import { type Group, groups } from './groups.ts'
import { type Mutant, mutate } from './mutate.ts'
import { type Measured, pageOf, reasonOf, scoreOf } from './page.ts'

/**
 * Breaks the code in every way that Stryker knows and counts how often the tests notice: `npm run mutation`, or
 * `npm run mutation clock events` for some groups. `--bounded` takes the quick groups only,
 * `--survivors` only the lines where a mutant survived last time. The last results of all groups
 * go to docs/mutation.md with `--write`, after the run, and with `--page` instead of one. Ends with 1 when a score is below
 * the least one, and when a survivor on the page has no reason in survivors.json.
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

/** Of a hundred mutants so many must be noticed, in every group. */
const leastScore = 85

const known = groups.map(({ name }) => name)
const unknown = positionals.find((name) => !known.includes(name))
if (unknown === undefined) process.exitCode = (await run(wantedGroups())) ? 0 : 1
else {
  console.error(`There is no group ${unknown}. There are: ${known.join(', ')}`)
  process.exitCode = 1
}

function wantedGroups(): Group[] {
  if (values.page) return []
  if (values.bounded) return groups.filter(({ isBounded }) => isBounded)
  return groups.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
}

async function run(wanted: Group[]): Promise<boolean> {
  let isEnough = true
  if (wanted.length > 0) console.log('| Group | Mutants | Score | |\n|---|---|---|---|')
  for (const group of wanted) {
    const mutants = values.survivors ? await mutateSurvivors(group) : await mutate(group)
    keep({ name: group.name, on: describeRun(), mutants })
    const score = scoreOf(mutants)
    isEnough &&= score >= leastScore
    const verdict = score >= leastScore ? 'enough' : `TOO LOW: at least ${leastScore}`
    console.log(`| ${group.name} | ${mutants.length} | ${score.toFixed(1)} | ${verdict} |`)
    tellUnexplained(mutants)
  }
  return values.write || values.page ? write() && isEnough : isEnough
}

/** The last result of a group, in which the lines with survivors are broken anew. */
async function mutateSurvivors(group: Group): Promise<Mutant[]> {
  const { mutants } = JSON.parse(readFileSync(resultOf(group.name), 'utf8')) as Measured
  const lineOf = ({ file, line }: Mutant) => `${file}:${line}-${line}`
  const lines = new Set(mutants.filter(({ isKilled }) => !isKilled).map(lineOf))
  const anew = await mutate({ ...group, mutate: [...lines] })
  // A mutant of several lines is not made again, and stays what it was.
  return mutants.map((old) => anew.find((mutant) => isSame(old, mutant)) ?? old)
}

function isSame(one: Mutant, other: Mutant): boolean {
  const names = ['file', 'line', 'original', 'replacement'] as const
  return names.every((name) => one[name] === other[name])
}

/** Prints the survivors that nobody has given a reason for. */
function tellUnexplained(mutants: Mutant[]): void {
  for (const mutant of mutants.filter((one) => !one.isKilled && reasonOf(one) === undefined)) {
    const { file, line, original, replacement } = mutant
    console.error(`  ${file}:${line} survives: ${original} -> ${replacement}`)
  }
}

function resultOf(name: string): string {
  return `scratch/mutation/${name}.json`
}

function keep(measured: Measured): void {
  mkdirSync('scratch/mutation', { recursive: true })
  writeFileSync(resultOf(measured.name), JSON.stringify(measured))
}

/** Writes the page from the last results of all groups, and says whether every survivor has its reason. */
function write(): boolean {
  const missing = known.filter((name) => !existsSync(resultOf(name)))
  if (missing.length > 0) {
    console.error(`No results yet. First: npm run mutation ${missing.join(' ')}`)
    return false
  }
  const results = known.map((name) => JSON.parse(readFileSync(resultOf(name), 'utf8')) as Measured)
  writeFileSync('docs/mutation.md', pageOf(results))
  const survivors = results.flatMap(({ mutants }) => mutants).filter(({ isKilled }) => !isKilled)
  return survivors.every((mutant) => reasonOf(mutant) !== undefined)
}
