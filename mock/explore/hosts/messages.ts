import { MockError, messageOf } from '../../errors.ts'
import type { RankedPlan } from '../plan/enumerate.ts'
import type { Plan } from '../plan/plan.ts'
import type { HostKind } from './host.ts'

/** The first message to a host, which says what to run. */
export type HostTask =
  | { type: 'tester'; load: LoadedOptions }
  | { type: 'program'; start: ProgramStart }

/** Where an isolated program runs. */
export interface Isolation {
  kind: HostKind
  /** The URL of its module. */
  module: string
}

/** The options of a program in a module. The given options replace the module's. */
export interface LoadedOptions {
  /** The URL of the module. */
  module: string
  /** Where the program runs; undefined for its tester's thread. */
  isolate: HostKind | undefined
  /** The options that replace the module's. */
  given: object
}

/** A request to a tester that has loaded the module. */
export type TesterRequest = { type: 'clean' } | { type: 'test'; ranked: RankedPlan }

/** A message from a tester: a run starts, its thread is alive, or a request has a result. */
export type TesterMessage =
  | { type: 'run'; plan: Plan }
  | { type: 'alive' }
  | { type: 'result'; result: unknown }
  | { type: 'error'; error: PackedError }

/** A function of the user's module, and what it receives. */
export interface ProgramStart {
  /** The URL of the module. */
  module: string
  name: 'scenario' | 'restart'
  /** The context fields that can be sent. */
  context: object
  /** The connection's plain values. */
  connection: { apiKey: string; baseUrl: string; exposeDetail: boolean }
  /** Whether it waits in virtual time and sends its requests through messages. */
  isVirtual: boolean
  /** The time at the start, in milliseconds since the epoch. */
  now: number
}

/** A call from an isolated program. Each call gets one reply. */
export type ProgramCall =
  | { type: 'fetch'; id: number; request: PackedRequest }
  | { type: 'sleep'; id: number; milliseconds: number }
  | { type: 'timer'; id: number; milliseconds: number }

/** A message from an isolated program. */
export type ProgramMessage =
  | ProgramCall
  | { type: 'abort'; id: number }
  | { type: 'idle'; id: number }
  | { type: 'done' }
  | { type: 'failed'; error: PackedError }
  | { type: 'rejected'; error: PackedError }

/** A message to an isolated program: a reply to a call, or `idle`, which it sends back once it waits for something. */
export type OwnerMessage =
  | { type: 'reply'; id: number; now: number; response?: PackedResponse; error?: PackedError }
  | { type: 'idle'; id: number }

/** A request as plain values. */
export interface PackedRequest {
  url: string
  method: string
  headers: [string, string][]
  body: ArrayBuffer | undefined
  /** The stack of the program's call. */
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

/** The maximum number of nested causes that are sent. An error can be its own cause. */
const longestChain = 10

/** Converts an error, or anything else that was thrown, to plain values. Never throws, even for a revoked proxy. */
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

/** Returns a thrown value, or an error in its place if it cannot be read. */
export function readableError(error: unknown): unknown {
  try {
    packReadable(error, longestChain)
    return error
  } catch {
    return unpackError(packError(error))
  }
}

/** Creates an error from its plain values. */
export function unpackError({ name, message, stack, code, cause }: PackedError): Error {
  const options = cause ? { cause: unpackError(cause) } : {}
  // In the other thread, the error had one of these codes.
  const known = code as MockError['code']
  const create = () => {
    if (name === 'MockError') return new MockError(known, message, options)
    const error =
      name === 'TypeError' ? new TypeError(message, options) : new Error(message, options)
    return Object.assign(error, { name }, code === undefined ? {} : { code })
  }
  return Object.defineProperty(create(), 'stack', { value: stack, configurable: true })
}

/** Replaces the cause of a result's failure with plain values. */
export function packFinding<Part extends { finding?: { cause?: unknown } | undefined }>(
  result: Part,
): Part {
  const { finding } = result
  if (finding?.cause === undefined) return result
  return { ...result, finding: { ...finding, cause: packError(finding.cause) } }
}

/** Replaces the plain cause of a result's failure with an error. */
export function unpackFinding<Part extends { finding?: { cause?: unknown } | undefined }>(
  result: Part,
): Part {
  const { finding } = result
  if (finding?.cause === undefined) return result
  // The other thread packed it.
  return { ...result, finding: { ...finding, cause: unpackError(finding.cause as PackedError) } }
}
