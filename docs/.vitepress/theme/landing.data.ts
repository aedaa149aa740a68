import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { programsOf } from '../code/blocks.ts'

/** A measured figure, and a link to the page about the measurement. */
interface Proof {
  figure: string
  text: string
  link: string
}

export interface Landing {
  /** The output of the page's first program, line by line. */
  output: string[]
  proofs: Proof[]
}

declare const data: Landing

export { data }

export default {
  load(): Landing {
    const [program] = programsOf('index', readFileSync('docs/index.md', 'utf8'))
    if (!program) throw new Error('docs/index.md has no program.')
    mkdirSync('scratch', { recursive: true })
    const file = 'scratch/landing.ts'
    writeFileSync(file, program.text)
    const flags = ['--import', './scripts/package-sources.ts', file]
    const output = execFileSync(process.execPath, flags, { encoding: 'utf8' })
    return { output: output.trimEnd().split('\n'), proofs: proofs() }
  },
}

function proofs(): Proof[] {
  return [
    {
      figure: find('soak', /^\| Calls \| ([\d,]+) \|/m),
      text: `calls to the mock with injected faults, ${find('soak', /^\| Lost or duplicate writes.*\| (\d+) \|/m)} lost or duplicate writes${dateOf('soak')}`,
      link: '/trust/measurements#soak',
    },
    {
      figure: `${find('mutation', /score ([\d.]+)\./)}%`,
      text: `of ${Number(find('mutation', /All groups: (\d+) mutants/)).toLocaleString('en')} mutations of the most important code are detected by our tests${dateOf('mutation')}`,
      link: '/trust/measurements#mutation-tests',
    },
    violations(),
  ]
}

/** Sums the table of subtle violations that the conformance cases detect. */
function violations(): Proof {
  const text = readFileSync('docs/trust/conformance.md', 'utf8')
  const rows = [...text.matchAll(/^\| (?!All|Total)[^|]+ \| (\d+) \| \d+ \| (\d+) \|$/gm)]
  const sum = (column: number) => rows.reduce((total, row) => total + Number(row[column]), 0)
  return {
    figure: `${sum(2)} of ${sum(1)}`,
    text: `subtle changes to the mock are detected by the conformance suite; the specification allows the others${daysIn(text)}`,
    link: '/trust/conformance#how-much-the-cases-detect',
  }
}

function dateOf(page: string): string {
  return daysIn(readFileSync(`docs/trust/measurements/${page}.md`, 'utf8'))
}

/** Returns the day or days of the measurements in a text, such as ` (21 November 2026)`. */
function daysIn(text: string): string {
  const dates = (text.match(/\b\d{4}-\d\d-\d\d(?=, commit)/g) ?? []).sort()
  const [first, last] = [dates[0], dates.at(-1)].map((date) => new Date(`${date}T00:00Z`))
  if (!first || !last) return ''
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  return ` (${format.formatRange(first, last)})`
}

/** Returns a figure from a page of measurements. Fails the build if the page has no such figure. */
function find(page: string, pattern: RegExp): string {
  const file = `docs/trust/measurements/${page}.md`
  const [, figure] = pattern.exec(readFileSync(file, 'utf8')) ?? []
  if (!figure) throw new Error(`${file} has no figure like ${pattern}.`)
  return figure
}
