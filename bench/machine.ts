import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'

/** When, from which commit and on what something was measured, for pages of `docs`. */
export function measuredOn(): string {
  const { model = 'unknown' } = cpus()[0] ?? {}
  const day = new Date().toISOString().slice(0, 10)
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  return `${day}, commit ${commit}, Node ${process.version} on ${process.platform}, ${cpus().length} x ${model}`
}
