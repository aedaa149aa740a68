import { MockError } from '../../errors.ts'
import { ownFile } from '../run/lines.ts'

export const hostKinds = ['worker', 'process'] as const

/** Where a program's code runs: in a thread or a process. */
export type HostKind = (typeof hostKinds)[number]

/** A thread or process that runs the user's code. */
export interface Host {
  post(message: unknown): void
  /** Terminates the host immediately, even if it is blocked. Resolves once the host has exited. */
  kill(): Promise<void>
}

export interface HostListeners {
  onMessage(message: unknown): void
  onEnd(reason: string): void
}

/** Starts a thread or process that runs `entry.ts`. */
export function startHost(kind: HostKind, { onMessage, onEnd }: HostListeners): Host {
  const threads = loadModule()?.('node:worker_threads')
  const processes = loadModule()?.('node:child_process')
  const file = hostFile()
  if (!threads || !processes || !file) {
    throw new MockError(
      'invalid_option',
      'explore cannot start threads or processes on this platform. Pass functions instead of a module.',
    )
  }
  if (kind === 'worker') {
    const worker = new threads.Worker(file)
    worker.on('message', onMessage)
    worker.on('error', (error) => onEnd(error instanceof Error ? error.message : String(error)))
    worker.on('exit', (code) => onEnd(`exit code ${code}`))
    return {
      post: (message) => worker.postMessage(message),
      kill: async () => void (await worker.terminate()),
    }
  }
  const child = processes.fork(file, { serialization: 'advanced' })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.on('message', onMessage)
  child.on('error', (error) => onEnd(error.message))
  child.on('exit', (code, signal) => onEnd(signal ? `signal ${signal}` : `exit code ${code}`))
  return {
    // Ignore the error: a process that has ended also emits `exit`.
    post: (message) => child.send(Object(message), () => {}),
    kill: () => {
      child.kill('SIGKILL')
      return ended
    },
  }
}

/** Listens for the owner's messages inside a host. Returns a function that sends messages to the owner. */
export function connectOwner(onMessage: (message: unknown) => void): (message: unknown) => void {
  const port = loadModule()?.('node:worker_threads')?.parentPort
  if (port) {
    port.on('message', onMessage)
    return (message) => port.postMessage(message)
  }
  process.on('message', onMessage)
  // Exit with the owner, because nothing else would end this process.
  process.on('disconnect', () => process.exit())
  // Messages to an owner that has exited are dropped.
  return (message) => void process.send?.(message, undefined, undefined, () => {})
}

/** Returns Node's loader for built-in modules, or undefined in browsers. */
function loadModule(): typeof process.getBuiltinModule | undefined {
  return globalThis.process?.getBuiltinModule
}

export function processors(): number {
  return loadModule()?.('node:os')?.availableParallelism() ?? 1
}

/** Returns a module's URL. Paths are relative to the working directory. */
export function urlOf(module: string | URL): string {
  const text = String(module)
  if (text.startsWith('file:')) return text
  return loadModule()?.('node:url')?.pathToFileURL(text).href ?? text
}

/** Returns the path of the file that each host runs, in the sources or in the built package. */
function hostFile(): string | undefined {
  const file = ownFile()
  const root = /^(.*)\/(?:dist|mock\/explore)\//.exec(file ?? '')?.[1]
  if (!root) return undefined
  return file?.endsWith('.ts')
    ? `${root}/mock/explore/hosts/entry.ts`
    : `${root}/dist/explore-host.js`
}
