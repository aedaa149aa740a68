import { MockError, messageOf } from '../../errors.ts'
import type { RankedPlan } from '../plan/enumerate.ts'
import type { Plan } from '../plan/plan.ts'
import type { HostKind } from './host.ts'

/** What a thread or process does first. */
export type HostTask =
  | { type: 'tester'; load: LoadedOptions }
  | { type: 'program'; start: ProgramStart }

/** Where an isolated program runs. */
export interface Isolation {
  /** Its own thread or process. */
  kind: HostKind
  /** The URL of its module. */
  module: string
}

/** The options of a program in a module; those that are given replace those of the module. */
export interface LoadedOptions {
  /** The URL of the module. */
  module: string
  /** Where the program runs: undefined for the thread of its tester. */
  isolate: HostKind | undefined
  /** The options that are given. */
  given: object
}

/** What a tester does after it has loaded the module. */
export type TesterRequest = { type: 'clean' } | { type: 'test'; ranked: RankedPlan }

/** What a tester sends: that a run starts, that its thread is alive, and the result of each request. */
export type TesterMessage =
  | { type: 'run'; plan: Plan }
  | { type: 'alive' }
  | { type: 'result'; result: unknown }
  | { type: 'error'; error: PackedError }

/** A function of the user's module, and what it receives. */
export interface ProgramStart {
  /** The URL of the module. */
  module: string
  /** The function. */
  name: 'scenario' | 'restart'
  /** The fields of the context that can be sent. */
  context: object
  /** The parts of the connection that are plain values. */
  connection: { apiKey: string; baseUrl: string; exposeDetail: boolean }
  /** Whether it waits in virtual time, and sends its requests through messages. */
  isVirtual: boolean
  /** The virtual time. */
  now: number
}

/** A call of an isolated program, which gets one reply. */
export type ProgramCall =
  | { type: 'fetch'; id: number; request: PackedRequest }
  | { type: 'sleep'; id: number; milliseconds: number }
  | { type: 'timer'; id: number; milliseconds: number }

/** What an isolated program sends. */
export type ProgramMessage =
  | ProgramCall
  | { type: 'abort'; id: number }
  | { type: 'idle'; id: number }
  | { type: 'done' }
  | { type: 'failed'; error: PackedError }
  | { type: 'rejected'; error: PackedError }

/** What is sent to an isolated program: a reply to a call, or the question whether it waits for something. */
export type OwnerMessage =
  | { type: 'reply'; id: number; now: number; response?: PackedResponse; error?: PackedError }
  | { type: 'idle'; id: number }

/** A request as plain values. */
export interface PackedRequest {
  url: string
  method: string
  headers: [string, string][]
  body: ArrayBuffer | undefined
  /** Where the program sends it. */
  stack: string | undefined
}

/** A response as plain values. */
export interface PackedResponse {
  status: number
  headers: [string, string][]
  body: ArrayBuffer | undefined
}

/** An error as plain values. */
export interface PackedError {
  name: string
  message: string
  stack: string | undefined
  code: string | number | undefined
  cause: PackedError | undefined
}

/** The causes of an error that are sent: an error can be its own cause. */
const longestChain = 10

/** Returns plain values of an error, or of anything thrown. */
export function packError(error: unknown, causes = longestChain): PackedError {
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

/** Returns an error with the values of a packed one. */
export function unpackError({ name, message, stack, code, cause }: PackedError): Error {
  const options = cause ? { cause: unpackError(cause) } : {}
  // The error had one of the codes in the other thread.
  const known = code as MockError['code']
  const create = () => {
    if (name === 'MockError') return new MockError(known, message, options)
    const error =
      name === 'TypeError' ? new TypeError(message, options) : new Error(message, options)
    return Object.assign(error, { name }, code === undefined ? {} : { code })
  }
  return Object.defineProperty(create(), 'stack', { value: stack, configurable: true })
}

/** Returns a failure whose cause can be sent. */
export function packFinding<Part extends { finding?: { cause?: unknown } | undefined }>(
  result: Part,
): Part {
  const { finding } = result
  if (finding?.cause === undefined) return result
  return { ...result, finding: { ...finding, cause: packError(finding.cause) } }
}

/** Returns a failure whose cause is an error again. */
export function unpackFinding<Part extends { finding?: { cause?: unknown } | undefined }>(
  result: Part,
): Part {
  const { finding } = result
  if (finding?.cause === undefined) return result
  // The other thread packed it.
  return { ...result, finding: { ...finding, cause: unpackError(finding.cause as PackedError) } }
}
