import { present } from '../../../src/shared/narrow.ts'
import { nextTurn } from '../../../src/shared/next-turn.ts'
import { MockError } from '../../errors.ts'
import { exportsOf } from '../../shared/exports-of.ts'
import type { ConnectionClock } from '../../state/clock/connection-clock.ts'
import { callerStack } from '../run/lines.ts'
import { Program, quietTurns } from '../run/program.ts'
import { watchTimers } from '../run/timers.ts'
import {
  type OwnerMessage,
  type PackedRequest,
  type PackedResponse,
  type ProgramCall,
  type ProgramMessage,
  type ProgramStart,
  packError,
  unpackError,
} from './messages.ts'

/** Runs a function of the user's module. Returns the handler for the owner's messages. */
export function serveProgram(
  start: ProgramStart,
  post: (message: ProgramMessage) => void,
): (message: OwnerMessage) => void {
  const calls = new Calls(start.now, post)
  const reject = (error: unknown) => post({ type: 'rejected', error: packError(error) })
  process.on('unhandledRejection', reject)
  // Without this listener, an error thrown outside promises would end the host as if the scenario had rejected.
  process.on('uncaughtException', reject)
  const program = new Program({ push: reject })
  watchTimers()
  void runProgram(start, calls, program)
    .finally(() => program.end())
    .then(
      () => post({ type: 'done' }),
      (error: unknown) => post({ type: 'failed', error: packError(error) }),
    )
  return async (message) => {
    if (message.type === 'reply') return calls.settle(message)
    await passQuietTurns()
    if (program.hasEnded) {
      await program.waitForTimers()
      await passQuietTurns()
    }
    post(message)
  }
}

async function passQuietTurns(): Promise<void> {
  for (let turn = 0; turn < quietTurns; turn += 1) await nextTurn()
}

async function runProgram(
  { module, name, context, connection, isVirtual }: ProgramStart,
  calls: Calls,
  program: Program,
): Promise<void> {
  const { default: options } = exportsOf(await import(module))
  const virtual = { fetch: fetchThrough(calls), clock: clockOf(calls) }
  const real = { fetch: (input: Request | string | URL, init?: RequestInit) => fetch(input, init) }
  const received = {
    ...context,
    connection: { ...connection, ...(isVirtual ? virtual : real) },
    // Never aborts, because a crash ends the thread or process.
    signal: program.signal,
    fence: <Store>(store: Store) => store,
    get team(): never {
      throw new MockError(
        'invalid_state',
        `An isolated ${name} has no team. Use the team in setup or check. In ${name}, create a client from the connection.`,
      )
    },
  }
  await program.run(() => options[name](received), true)
}

interface Caller {
  signal: AbortSignal | undefined
  /** The requests that the signal belongs to. */
  sources?: readonly unknown[]
}

class Calls {
  readonly #post: (message: ProgramMessage) => void
  readonly #waiting = new Map<number, (reply: OwnerMessage & { type: 'reply' }) => void>()
  #count = 0
  /** The latest virtual time from the owner. */
  now: number

  constructor(now: number, post: (message: ProgramMessage) => void) {
    this.now = now
    this.#post = post
  }

  /**
   * Sends a call with a new id. Resolves with the reply, or rejects when the caller's signal aborts. Until the reply,
   * holds a reference to the caller, because the platform does not abort the signal of a garbage-collected `Request`.
   */
  send(callOf: (id: number) => ProgramCall, caller: Caller): Promise<PackedResponse | undefined> {
    this.#count += 1
    const id = this.#count
    return new Promise((resolve, reject) => {
      caller.signal?.throwIfAborted()
      const abort = () => {
        this.#waiting.delete(id)
        this.#post({ type: 'abort', id })
        reject(caller.signal?.reason)
      }
      caller.signal?.addEventListener('abort', abort, { once: true })
      this.#waiting.set(id, ({ response, error }) => {
        caller.signal?.removeEventListener('abort', abort)
        if (error) reject(unpackError(error))
        else resolve(response)
      })
      this.#post(callOf(id))
    })
  }

  settle(reply: OwnerMessage & { type: 'reply' }): void {
    this.now = Math.max(this.now, reply.now)
    this.#waiting.get(reply.id)?.(reply)
    this.#waiting.delete(reply.id)
  }
}

function fetchThrough(calls: Calls) {
  return async (input: Request | string | URL, init?: RequestInit): Promise<Response> => {
    const stack = callerStack(input)()
    const request = new Request(input, init)
    const { url, method, headers, signal, body } = request
    const packed: PackedRequest = {
      ...{ url, method, stack, headers: [...headers] },
      body: body ? await new Response(body).arrayBuffer() : undefined,
    }
    const response = present(
      await calls.send((id) => ({ type: 'fetch', id, request: packed }), {
        signal,
        sources: [input, request],
      }),
    )
    return new Response(response.body ?? null, response)
  }
}

function clockOf(calls: Calls): ConnectionClock {
  return {
    now: () => calls.now,
    sleep: async (milliseconds, signal) => {
      await calls.send((id) => ({ type: 'sleep', id, milliseconds }), { signal })
    },
    startTimer: (milliseconds, onEnd) => {
      const controller = new AbortController()
      const call = (id: number): ProgramCall => ({ type: 'timer', id, milliseconds })
      calls.send(call, controller).then(onEnd, () => {})
      return () => controller.abort()
    },
  }
}
