import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

export interface ServedProcess {
  child: ChildProcess
  url: string
  /** The API key of the default team. */
  apiKey: string
}

export async function startServer(): Promise<ServedProcess> {
  const child = fork('bench/processes/server.ts', ['mock'], { execArgv: ['--expose-gc'] })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`bench/processes/server.ts exited with ${code} before it was ready.`)
  })
  const [facts] = (await Promise.race([once(child, 'message'), ended])) as [
    Omit<ServedProcess, 'child'>,
  ]
  return { child, ...facts }
}

/** Returns the CPU time of the longest turn of the event loop since the last call, in milliseconds. */
export async function longestTurn({ child }: ServedProcess): Promise<number> {
  const message = once(child, 'message')
  child.send('turns')
  const [milliseconds] = (await message) as [number]
  return milliseconds
}
