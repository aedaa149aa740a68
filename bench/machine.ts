import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'

/** Describes the date, the commit and the machine of a measurement, for pages of `docs`. */
export function describeRun(): string {
  const { model = 'unknown' } = cpus()[0] ?? {}
  const day = new Date().toISOString().slice(0, 10)
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  return `${day}, commit ${commit}, Node ${process.version} on ${process.platform} with ${cpus().length} CPUs (${model})`
}
