import { execFileSync } from 'node:child_process'
import type { TaskName } from './processes/task.ts'

/**
 * Returns the CPU time of each task's fastest round, in microseconds. Each task runs in its own processes, as in a
 * program that does nothing else. The processes alternate, so that the machine's load affects all tasks equally.
 *
 * @param parameters The command-line arguments of the tasks.
 */
export function measureTasks<Name extends TaskName>(
  rounds: number,
  names: readonly Name[],
  parameters: readonly string[] = [],
): Record<Name, number> {
  const best = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY])) as Record<
    Name,
    number
  >
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const command = ['bench/processes/task.ts', name, ...parameters]
      const microseconds = execFileSync(process.execPath, command, { encoding: 'utf8' })
      best[name] = Math.min(best[name], Number(microseconds))
    }
  }
  return best
}
