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
each of these mutants, it runs the tests. The score is the percentage of mutants that the tests detect. Each surviving
mutant needs a reason in \`scripts/mutation/survivors.json\`: for example, it behaves like the original code, affects
only memory, or is unreachable. To run the mutation tests, use \`npm run lab mutation\`.`

export function pageOf(results: readonly GroupResult[]): string {
  const all = results.flatMap(({ mutants }) => mutants)
  const total = `All groups: ${all.length} mutants, score ${scoreOf(all).toFixed(1)}.`
  const rows = results.map(({ name, run, mutants }) => {
    const survived = mutants.filter(({ isKilled }) => !isKilled).length
    return `| ${name} | ${mutants.length} | ${survived} | ${scoreOf(mutants).toFixed(1)} | ${run} |`
  })
  const table = [
    '| Group | Mutants | Survived | Score | Last run |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n')
  return `${[introduction, total, table].join('\n\n')}\n`
}
