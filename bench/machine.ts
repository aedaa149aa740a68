import { execFileSync } from 'node:child_process'
import { machine } from './results.ts'

export function describeRun(): string {
  const day = new Date().toISOString().slice(0, 10)
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  return `${day}, commit ${commit}, ${machine()}`
}
