import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Random } from '../../mock/reference-data/random.ts'
import { bundleWorker } from '../bundle-worker.ts'
import type { SyncPlace } from './place.ts'

interface Worker {
  /** Undefined until the previous process has ended. */
  child?: ChildProcess
  port: Promise<number>
}

/** The bundled program is inside the project, so that it finds the driver. */
const program = join('scratch', 'sync-proof', 'worker.mjs')
const built = bundleWorker(join(import.meta.dirname, 'worker.ts'), program)

/** Receivers in their own processes, which are killed and restarted. */
export class Workers {
  readonly #workers: Worker[]
  readonly #place: SyncPlace
  readonly #random: Random
  #next = 0
  kills = 0

  constructor(place: SyncPlace, count: number, random: Random) {
    this.#place = place
    this.#random = random
    this.#workers = Array.from({ length: count }, () => this.#start())
  }

  /** Rejects if the worker dies meanwhile. */
  async deliver(request: Request, isKilled: boolean): Promise<Response> {
    this.#next = (this.#next + 1) % this.#workers.length
    const index = this.#next
    const worker = this.#workers[index]
    const port = await worker?.port
    const init = { method: 'POST', headers: request.headers, body: await request.arrayBuffer() }
    const response = fetch(`http://127.0.0.1:${port}/`, init)
    if (isKilled && worker) {
      // Kill the worker at a random moment while it handles the message.
      setTimeout(() => this.#kill(worker, index), this.#random.next() * 12)
    }
    return response
  }

  async stop(): Promise<void> {
    for (const worker of this.#workers) {
      await worker.port
      const { child } = worker
      if (!child) continue
      const exited = once(child, 'exit')
      if (child.kill('SIGKILL')) await exited
    }
  }

  #kill(worker: Worker, index: number): void {
    const { child } = worker
    if (this.#workers[index] !== worker || !child) return
    const exited = once(child, 'exit')
    if (!child.kill('SIGKILL')) return
    this.kills += 1
    this.#workers[index] = this.#start(exited)
  }

  /** @param after Settles when the previous process has ended, because two processes cannot use one PGlite folder. */
  #start(after: Promise<unknown> = Promise.resolve()): Worker {
    const worker: Worker = { port: Promise.resolve(0) }
    worker.port = Promise.all([built, after]).then(async () => {
      const child = spawn(process.execPath, [program, JSON.stringify(this.#place)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      worker.child = child
      const [line] = await once(child.stdout, 'data')
      return Number(String(line))
    })
    return worker
  }
}
