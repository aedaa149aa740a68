import { readFileSync } from 'node:fs'
import type { Mutant } from './mutate.ts'

/** Why a mutant survives: no test through a public face can tell it from the code. */
interface Survivor {
  file: string
  /** What was replaced; all its spaces as one. */
  original: string
  /** By what; left out where every replacement is meant. */
  replacement?: string
  why: string
}

const survivors = JSON.parse(
  readFileSync(new URL('survivors.json', import.meta.url), 'utf8'),
) as Survivor[]

/** The last result of a group: when, from which commit and where, and its mutants. */
export interface Measured {
  name: string
  on: string
  mutants: Mutant[]
}

/** Of a hundred mutants so many were noticed. */
export function scoreOf(mutants: readonly Mutant[]): number {
  return (100 * mutants.filter(({ isKilled }) => isKilled).length) / mutants.length
}

/** Why a mutant survives; undefined where nobody has said. */
export function reasonOf({ file, original, replacement }: Mutant): string | undefined {
  return survivors.find(
    (one) =>
      one.file === file &&
      one.original === original &&
      (one.replacement === undefined || one.replacement === replacement),
  )?.why
}

const introduction = `# Mutation tests

[Stryker](https://stryker-mutator.io) makes thousands of small changes to the most important code, one at a time, and runs
the tests against each of these mutants. The score is the percentage of mutants that a test detects. The tables list each
mutant that survives, with the reason from \`scripts/mutation/survivors.json\`. \`npm run mutation -- --write\` generates this page.`

/** The page \`docs/mutation.md\`. */
export function pageOf(results: readonly Measured[]): string {
  const all = results.flatMap(({ mutants }) => mutants)
  const total = `All groups: ${all.length} mutants, score ${scoreOf(all).toFixed(1)}.`
  return `${[introduction, total, scores(results), ...results.map(survivorsOf)].join('\n\n')}\n`
}

function scores(results: readonly Measured[]): string {
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

function survivorsOf({ name, on, mutants }: Measured): string {
  const head = `## ${name}\n\nScore ${scoreOf(mutants).toFixed(1)}. Last run: ${on}.`
  const rows = mutants
    .filter(({ isKilled }) => !isKilled)
    .map((mutant) => {
      const { file, line, original, replacement } = mutant
      const why = reasonOf(mutant) ?? 'not looked at yet'
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

/** Code in a cell of a table, shortened. */
function code(text: string): string {
  const short = text.length > 90 ? `${text.slice(0, 89)}…` : text
  return short === '' ? '' : `\`\` ${short.replaceAll('|', '\\|')} \`\``
}
