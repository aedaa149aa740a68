import { readFileSync } from 'node:fs'
import type { Mutant } from './mutate.ts'

/** A mutant that no test of the public API can kill, with the reason. */
interface Survivor {
  file: string
  /** The original code, with white space collapsed. */
  original: string
  /** The new code. Default: any. */
  replacement?: string
  why: string
}

const survivors = JSON.parse(
  readFileSync(new URL('survivors.json', import.meta.url), 'utf8'),
) as Survivor[]

/** The latest result of a group. */
export interface GroupResult {
  name: string
  /** The date, the commit and the machine of the run. */
  run: string
  mutants: Mutant[]
}

export function scoreOf(mutants: readonly Mutant[]): number {
  return (100 * mutants.filter(({ isKilled }) => isKilled).length) / mutants.length
}

/** Returns undefined if survivors.json contains no reason. */
export function reasonOf({ file, original, replacement }: Mutant): string | undefined {
  return survivors.find(
    (one) =>
      one.file === file &&
      one.original === original &&
      (one.replacement === undefined || one.replacement === replacement),
  )?.why
}

const introduction = `# Mutation tests

[Stryker](https://stryker-mutator.io) makes thousands of small changes to the most important code, one at a time. For
each of these mutants, it runs the tests. The score is the percentage of mutants that the tests detect. The tables
list every surviving mutant and why it survives, as recorded in \`scripts/mutation/survivors.json\`.
\`npm run lab mutation -- --write\` generates this page.`

export function pageOf(results: readonly GroupResult[]): string {
  const all = results.flatMap(({ mutants }) => mutants)
  const total = `All groups: ${all.length} mutants, score ${scoreOf(all).toFixed(1)}.`
  return `${[introduction, total, scores(results), ...results.map(survivorsOf)].join('\n\n')}\n`
}

function scores(results: readonly GroupResult[]): string {
  const rows = results.flatMap(({ name, mutants }) =>
    [...Map.groupBy(mutants, ({ file }) => file)].map(([file, found]) => {
      const survived = found.filter(({ isKilled }) => !isKilled).length
      return `| ${name} | \`${file}\` | ${found.length} | ${survived} | ${scoreOf(found).toFixed(1)} |`
    }),
  )
  return ['| Group | File | Mutants | Survived | Score |', '|---|---|---|---|---|', ...rows].join(
    '\n',
  )
}

function survivorsOf({ name, run, mutants }: GroupResult): string {
  const head = `### ${name}\n\nScore ${scoreOf(mutants).toFixed(1)}. Last run: ${run}.`
  const rows = mutants
    .filter(({ isKilled }) => !isKilled)
    .map((mutant) => {
      const { file, line, original, replacement } = mutant
      const why = reasonOf(mutant) ?? 'no reason yet'
      return `| \`${file}\`:${line} | ${code(original)} | ${code(replacement)} | ${why} |`
    })
  if (rows.length === 0) return head
  return [
    head,
    '',
    '| Where | Code | Mutant | Why it survives |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n')
}

/** Keeps at most 90 characters. */
function code(text: string): string {
  const short = text.length > 90 ? `${text.slice(0, 89)}…` : text
  return short === '' ? '' : `\`\` ${short.replaceAll('|', '\\|')} \`\``
}
