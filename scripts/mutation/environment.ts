import { globSync } from 'node:fs'
import type { Group } from './groups.ts'

/** Passes a group to the test processes through environment variables. */
export function setGroup({ mutate, tests }: Group): void {
  // A pattern may end with a range of lines.
  const files = mutate.map((pattern) => pattern.replace(/:\d+-\d+$/, ''))
  process.env['MUTATION_FILES'] = files.join('\n')
  process.env['MUTATION_TESTS'] = tests.join('\n')
}

export function mutatedFiles(): string[] {
  return globSync(listOf('MUTATION_FILES'))
}

export function testFiles(): string[] {
  return listOf('MUTATION_TESTS')
}

function listOf(name: string): string[] {
  return (process.env[name] ?? '').split('\n')
}
