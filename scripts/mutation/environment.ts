import { globSync } from 'node:fs'
import type { Group } from './groups.ts'

/** Tells the processes that run tests which group they are for. */
export function tellGroup({ mutate, tests }: Group): void {
  // Without the lines that a pattern may name.
  const files = mutate.map((pattern) => pattern.replace(/:\d+-\d+$/, ''))
  process.env['MUTATION_FILES'] = files.join(',')
  process.env['MUTATION_TESTS'] = tests.join(',')
}

/** The files that are broken. */
export function mutatedFiles(): string[] {
  return globSync(listed('MUTATION_FILES'))
}

/** The tests that must notice. */
export function testFiles(): string[] {
  return listed('MUTATION_TESTS')
}

function listed(name: string): string[] {
  return (process.env[name] ?? '').split(',')
}
