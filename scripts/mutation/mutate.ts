import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import { tellGroup } from './environment.ts'
import type { Group } from './groups.ts'

/** A change of the code, and whether a test noticed it. */
export interface Mutant {
  file: string
  line: number
  /** What was replaced by what; all spaces as one. */
  original: string
  replacement: string
  isKilled: boolean
}

/** Breaks the files of a group in every way that Stryker knows, and runs the group's tests on each. */
export async function mutate(group: Group): Promise<Mutant[]> {
  tellGroup(group)
  const results = await new Stryker({
    configFile: 'scripts/mutation/stryker.config.json',
    mutate: group.mutate,
    htmlReporter: { fileName: `scratch/mutation/${group.name}.html` },
  }).runMutationTest()
  return results.flatMap(({ status, fileName, location, replacement = '' }) => {
    // The others do not compile, or were left out.
    if (!['Killed', 'Timeout', 'Survived', 'NoCoverage'].includes(status)) return []
    const file = relative('.', fileName)
    const original = asOneLine(excerpt(readFileSync(file, 'utf8'), location))
    const isKilled = status === 'Killed' || status === 'Timeout'
    const { line } = location.start
    return [{ file, line, original, replacement: asOneLine(replacement), isKilled }]
  })
}

interface Place {
  line: number
  column: number
}

/** A part of a file; lines and columns count from 1. */
function excerpt(text: string, { start, end }: { start: Place; end: Place }): string {
  const lines = text.split('\n').slice(start.line - 1, end.line)
  const last = lines.length - 1
  return lines
    .map((line, at) => (at === last ? line.slice(0, end.column - 1) : line))
    .map((line, at) => (at === 0 ? line.slice(start.column - 1) : line))
    .join('\n')
}

function asOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
