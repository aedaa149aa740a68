import { createKeptRequest } from '../../../src/shared/kept-request.ts'
import { callSiteKey } from '../../../src/shared/stack.ts'
import { MockError, messageOf } from '../../errors.ts'
import type { ConnectionClock } from '../../state/clock/connection-clock.ts'
import type { ExploreTools } from '../options.ts'
import type { Program } from '../run/program.ts'
import { isInstance } from '../run/state.ts'
import { type Host, type HostKind, startHost } from './host.ts'
import {
  type Isolation,
  type PackedRequest,
  type PackedResponse,
  type ProgramCall,
  type ProgramMessage,
  packError,
  unpackError,
} from './messages.ts'

/** A program in its own thread or process, which a simulated crash terminates. */
export class IsolatedProgram {
  readonly #isolation: Isolation
  readonly #tools: ExploreTools
  readonly #calls = new Map<number, AbortController>()
  readonly #idle = new Map<number, () => void>()
  #host: Host | undefined
  #ended = Promise.resolve()

  constructor(isolation: Isolation, tools: ExploreTools) {
    this.#isolation = isolation
    this.#tools = tools
  }

  /** Runs a function of the module in a new thread or process, which runs until {@link IsolatedProgram.kill}. */
  run(name: 'scenario' | 'restart', program: Program, context: object): Promise<void> {
    const { kind, module } = this.#isolation
    const { apiKey, baseUrl, exposeDetail, clock } = this.#tools.connection
    return new Promise((resolve, reject) => {
      const listen = (message: ProgramMessage) => {
        if (message.type === 'done') resolve()
        else if (message.type === 'failed') reject(unpackError(message.error))
        else if (message.type === 'rejected') program.addRejection(unpackError(message.error))
        else if (message.type === 'abort') this.#calls.get(message.id)?.abort()
        else if (message.type === 'idle') this.#idle.get(message.id)?.()
        else void program.run(() => program.guard(() => this.#serve(message)), true)
      }
      const host = startHost(kind, {
        // Hosts send only messages of this type.
        onMessage: (message) => program.isAlive && listen(message as ProgramMessage),
        onEnd: (reason) => {
          if (this.#host === host) void this.kill()
          reject(new Error(`The program's ${kind} ended unexpectedly: ${reason}`))
        },
      })
      this.#host = host
      program.waitOutside = () => this.#waitUntilIdle()
      const start = {
        ...{ module, name, context: plainFields(context) },
        connection: { apiKey, baseUrl, exposeDetail },
        ...{ isVirtual: clock !== undefined, now: clock?.now() ?? Date.now() },
      }
      try {
        host.post({ type: 'program', start })
      } catch (cause) {
        void this.kill()
        reject(unsendableError(kind, cause))
      }
    })
  }

  /** Resolves once the thread or process has exited. */
  kill(): Promise<void> {
    if (this.#host) this.#ended = this.#host.kill()
    this.#host = undefined
    for (const idle of this.#idle.values()) idle()
    return this.#ended
  }

  /** Waits until the program has sent everything that it can send without a reply. */
  #waitUntilIdle(): Promise<void> {
    const host = this.#host
    if (!host) return Promise.resolve()
    const id = this.#idle.size
    return new Promise((resolve) => {
      this.#idle.set(id, resolve)
      host.post({ type: 'idle', id })
    })
  }

  async #serve(call: ProgramCall): Promise<void> {
    const host = this.#host
    const { id } = call
    const controller = new AbortController()
    this.#calls.set(id, controller)
    const reply = (content: { response?: PackedResponse | undefined; error?: unknown }) => {
      if (controller.signal.aborted) return
      host?.post({ type: 'reply', id, now: this.#tools.connection.clock?.now() ?? 0, ...content })
    }
    try {
      reply({ response: await this.#handle(call, controller.signal) })
    } catch (error) {
      reply({ error: packError(error) })
    } finally {
      this.#calls.delete(id)
    }
    // The program is busy until it has handled the reply, because it may send another request.
    await this.#waitUntilIdle()
  }

  async #handle(call: ProgramCall, signal: AbortSignal): Promise<PackedResponse | undefined> {
    const { clock, fetch } = this.#tools.connection
    if (call.type === 'fetch') return exchange(fetch, call.request, signal)
    if (!clock) return undefined
    if (call.type === 'timer') await waitForTimer(clock, call.milliseconds, signal)
    else {
      // Virtual time must not pass while the program is about to send something.
      await this.#waitUntilIdle()
      await clock.sleep(call.milliseconds, signal)
    }
    return undefined
  }
}

async function exchange(
  fetch: ExploreTools['connection']['fetch'],
  { url, method, headers, body, stack }: PackedRequest,
  signal: AbortSignal,
): Promise<PackedResponse> {
  const request = createKeptRequest(url, { method, headers, body: body ?? null, signal })
  const site = Object.defineProperty(new Error(), 'stack', { value: stack })
  const response = await fetch(Object.defineProperty(request, callSiteKey, { value: site }))
  return {
    status: response.status,
    headers: [...response.headers],
    body: response.body ? await response.arrayBuffer() : undefined,
  }
}

function waitForTimer(
  clock: ConnectionClock,
  milliseconds: number,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const stop = clock.startTimer(milliseconds, resolve)
    const end = () => {
      stop()
      // The call has ended, so the program is no longer busy.
      resolve()
    }
    signal.addEventListener('abort', end, { once: true })
  })
}

function unsendableError(kind: HostKind, cause: unknown): MockError {
  return new MockError(
    'invalid_option',
    `The context contains a value that cannot be sent to a ${kind}: ${messageOf(cause)} Create the value in the scenario.`,
    { cause },
  )
}

/**
 * Returns the context fields that can be sent to another thread or process. Class instances, such as store handles,
 * stay in this thread, where `check` runs.
 */
function plainFields(context: object): object {
  const tools = ['connection', 'team', 'signal', 'fence']
  return Object.fromEntries(
    Object.entries(context).filter(([name, value]) => !tools.includes(name) && isPlain(value)),
  )
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'object' && value !== null && isInstance(value)) return false
  try {
    structuredClone(value)
    return true
  } catch {
    return false
  }
}
