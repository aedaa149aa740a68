import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { TaskName } from './processes/task.ts'

/** The CPU microseconds of each task in each round. */
export type Rounds<Name extends TaskName> = Record<Name, number[]>

/**
 * Measures tasks. Each task runs in its own process, as in a program that does nothing else. The processes take turns,
 * so that the machine's load affects all tasks of a round equally. An equal number of warm-up rounds runs first.
 *
 * @param parameters The command-line arguments of the tasks.
 */
export async function measureTasks<Name extends TaskName>(
  rounds: number,
  names: readonly Name[],
  parameters: readonly string[] = [],
): Promise<Rounds<Name>> {
  const processes = new Map(names.map((name) => [name, startTask(name, parameters)]))
  for (const task of processes.values()) await once(task, 'message')
  const found = Object.fromEntries(names.map((name): [string, number[]] => [name, []]))
  for (let round = 0; round < rounds * 2; round += 1) {
    for (const [name, task] of processes) {
      const microseconds = await measureRound(task)
      if (round >= rounds) found[name]?.push(microseconds)
    }
  }
  for (const task of processes.values()) task.disconnect()
  return found as Rounds<Name> // has every name
}

/** Returns the median over all rounds. */
export function ratioOf<Name extends TaskName>(
  rounds: Rounds<Name>,
  one: Name,
  other: Name,
): number {
  return median(rounds[one].map((cost, round) => cost / (rounds[other][round] ?? Number.NaN)))
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? Number.NaN
}

function startTask(name: TaskName, parameters: readonly string[]): ChildProcess {
  const task = fork('bench/processes/task.ts', [name, ...parameters])
  task.on('exit', (code) => {
    if (code) throw new Error(`The task ${name} exited with ${code}.`)
  })
  return task
}

async function measureRound(task: ChildProcess): Promise<number> {
  const message = once(task, 'message')
  task.send('round')
  const [microseconds] = (await message) as [number]
  return microseconds
}
