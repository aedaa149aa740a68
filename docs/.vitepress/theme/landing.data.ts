import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { programsOf } from '../code/blocks.ts'

/** A figure that a command measured, and where the page about it is. */
interface Proof {
  figure: string
  text: string
  link: string
}

export interface Landing {
  /** The lines of the terminal: what the first program of the page prints. */
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
      text: `calls with injected faults, ${find('soak', /^\| Lost or duplicate writes.*\| (\d+) \|/m)} lost or duplicate writes`,
      link: '/trust/measurements#soak',
    },
    {
      figure: `${find('mutation', /score ([\d.]+)\./)} %`,
      text: `of ${find('mutation', /All groups: (\d+) mutants/)} code mutations are detected by the tests`,
      link: '/trust/measurements#mutation-tests',
    },
    violations(),
  ]
}

/** Sums the table of the subtle violations that the conformance cases detect. */
function violations(): Proof {
  const text = readFileSync('docs/trust/conformance.md', 'utf8')
  const rows = [...text.matchAll(/^\| (?!All|Total)[^|]+ \| (\d+) \| \d+ \| (\d+) \|$/gm)]
  const sum = (column: number) => rows.reduce((total, row) => total + Number(row[column]), 0)
  return {
    figure: `${sum(2)} of ${sum(1)}`,
    text: 'subtle violations of the specification are detected by the conformance suite',
    link: '/trust/conformance',
  }
}

/** Returns a figure of a measurement. A page without it fails the build. */
function find(page: string, pattern: RegExp): string {
  const file = `docs/trust/measurements/${page}.md`
  const [, figure] = pattern.exec(readFileSync(file, 'utf8')) ?? []
  if (!figure) throw new Error(`${file} has no figure like ${pattern}.`)
  return figure
}
