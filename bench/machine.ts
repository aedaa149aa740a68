import { execFileSync } from 'node:child_process'
import { machine } from './results.ts'

/** Describes the date, the commit and the machine of a measurement, for pages of `docs`. */
export function describeRun(): string {
  const day = new Date().toISOString().slice(0, 10)
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  return `${day}, commit ${commit}, ${machine()}`
}
