import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import { setGroup } from './environment.ts'
import type { Group } from './groups.ts'

/** A change to the code, and whether a test detects it. */
export interface Mutant {
  file: string
  line: number
  /** The original code, with white space collapsed. */
  original: string
  /** The new code, with white space collapsed. */
  replacement: string
  isKilled: boolean
}

export async function mutate(group: Group): Promise<Mutant[]> {
  setGroup(group)
  const results = await new Stryker({
    configFile: 'scripts/mutation/stryker.config.json',
    mutate: group.mutate,
    htmlReporter: { fileName: `scratch/mutation/${group.name}.html` },
  }).runMutationTest()
  return results.flatMap(({ status, fileName, location, replacement = '' }) => {
    // Other mutants do not compile or are ignored.
    if (!['Killed', 'Timeout', 'Survived', 'NoCoverage'].includes(status)) return []
    const file = relative('.', fileName)
    const original = toOneLine(excerpt(readFileSync(file, 'utf8'), location))
    const isKilled = status === 'Killed' || status === 'Timeout'
    const { line } = location.start
    return [{ file, line, original, replacement: toOneLine(replacement), isKilled }]
  })
}

interface Position {
  line: number
  column: number
}

/** Lines and columns start at 1. */
function excerpt(text: string, { start, end }: { start: Position; end: Position }): string {
  const lines = text.split('\n').slice(start.line - 1, end.line)
  const last = lines.length - 1
  return lines
    .map((line, at) => (at === last ? line.slice(0, end.column - 1) : line))
    .map((line, at) => (at === 0 ? line.slice(start.column - 1) : line))
    .join('\n')
}

export function toOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
