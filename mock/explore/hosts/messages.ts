import { MockError, messageOf } from '../../errors.ts'
import type { RankedPlan } from '../plan/enumerate.ts'
import type { Plan } from '../plan/plan.ts'
import type { HostKind } from './host.ts'

/** The first message to a host. */
export type HostTask =
  | { type: 'tester'; load: LoadedOptions }
  | { type: 'program'; start: ProgramStart }

export interface Isolation {
  kind: HostKind
  /** The URL of the program's module. */
  module: string
}

/** A program's module, and the options from the caller that override the module's options. */
export interface LoadedOptions {
  module: string
  /** Where the program runs, or undefined if it runs in its tester's thread. */
  isolate: HostKind | undefined
  given: object
}

/** A request to a tester that has loaded the module. */
export type TesterRequest = { type: 'clean' } | { type: 'test'; ranked: RankedPlan }

/**
 * `run` reports that a run starts, and `alive` that the thread is not blocked. Every other message is a reply to a
 * request.
 */
export type TesterMessage =
  | { type: 'run'; plan: Plan }
  | { type: 'alive' }
  | { type: 'result'; result: unknown }
  | { type: 'error'; error: PackedError }

export interface ProgramStart {
  module: string
  name: 'scenario' | 'restart'
  /** The context fields that can be sent to another thread or process. */
  context: object
  connection: { apiKey: string; baseUrl: string; exposeDetail: boolean }
  /** Whether the program waits in virtual time and sends its requests through messages. */
  isVirtual: boolean
  /** The start time, as a Unix timestamp in milliseconds. */
  now: number
}

/** A call from an isolated program. Each call gets one reply, unless the program aborts it. */
export type ProgramCall =
  | { type: 'fetch'; id: number; request: PackedRequest }
  | { type: 'sleep'; id: number; milliseconds: number }
  | { type: 'timer'; id: number; milliseconds: number }

export type ProgramMessage =
  | ProgramCall
  | { type: 'abort'; id: number }
  | { type: 'idle'; id: number }
  | { type: 'done' }
  | { type: 'failed'; error: PackedError }
  | { type: 'rejected'; error: PackedError }

/** A message to an isolated program: a reply to a call, or `idle`, which the program sends back once it is waiting. */
export type OwnerMessage =
  | { type: 'reply'; id: number; now: number; response?: PackedResponse; error?: PackedError }
  | { type: 'idle'; id: number }

/** A request as plain values, which threads and processes can exchange. */
export interface PackedRequest {
  url: string
  method: string
  headers: [string, string][]
  body: ArrayBuffer | undefined
  stack: string | undefined
}

export interface PackedResponse {
  status: number
  headers: [string, string][]
  body: ArrayBuffer | undefined
}

export interface PackedError {
  name: string
  message: string
  stack: string | undefined
  code: string | number | undefined
  cause: PackedError | undefined
}

/** The maximum number of nested causes to send. A limit is needed because an error can be its own cause. */
const longestChain = 10

/** Converts an error to plain values. Never throws, even for a revoked proxy. */
export function packError(error: unknown, causes = longestChain): PackedError {
  try {
    return packReadable(error, causes)
  } catch {
    return packReadable(messageOf(error), 0)
  }
}

function packReadable(error: unknown, causes: number): PackedError {
  const { name = 'Error', stack, cause } = error instanceof Error ? error : {}
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return {
    name: String(name),
    message: messageOf(error),
    stack: typeof stack === 'string' ? stack : undefined,
    code: typeof code === 'string' || typeof code === 'number' ? code : undefined,
    cause: cause === undefined || causes === 0 ? undefined : packError(cause, causes - 1),
  }
}

/** Returns a thrown value unchanged, or a replacement error if the value cannot be read. */
export function readableError(error: unknown): unknown {
  try {
    packReadable(error, longestChain)
    return error
  } catch {
    return unpackError(packError(error))
  }
}

export function unpackError({ name, message, stack, code, cause }: PackedError): Error {
  const options = cause ? { cause: unpackError(cause) } : {}
  // The code is valid, because the original error had it.
  const known = code as MockError['code']
  const create = () => {
    if (name === 'MockError') return new MockError(known, message, options)
    const error =
      name === 'TypeError' ? new TypeError(message, options) : new Error(message, options)
    return Object.assign(error, { name }, code === undefined ? {} : { code })
  }
  return Object.defineProperty(create(), 'stack', { value: stack, configurable: true })
}

interface WithFinding {
  finding?: { cause?: unknown } | undefined
}

export function packFinding<Part extends WithFinding>(result: Part): Part {
  return changeCause(result, (cause) => packError(cause))
}

export function unpackFinding<Part extends WithFinding>(result: Part): Part {
  // The other thread packed the cause.
  return changeCause(result, (cause) => unpackError(cause as PackedError))
}

function changeCause<Part extends WithFinding>(
  result: Part,
  change: (cause: unknown) => unknown,
): Part {
  const { finding } = result
  if (finding?.cause === undefined) return result
  return { ...result, finding: { ...finding, cause: change(finding.cause) } }
}
