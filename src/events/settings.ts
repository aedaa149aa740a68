import type { KnownEvent, KnownEventType, ServiceEvent } from '../contract/events.ts'
import { nearest } from '../contract/schema/nearest.ts'
import { isObject } from '../contract/schema/object.ts'
import { knownEventTypes } from '../contract/values/event-types.ts'
import {
  checkCount,
  checkFunction,
  checkHandlerOptions,
  checkTolerance,
  invalidArgument,
} from './arguments.ts'
import { type DedupeStore, memoryStore } from './dedupe.ts'
import { EventError } from './errors.ts'
import { parseSecrets, type VerifiedMessage } from './verify.ts'

/**
 * Handles an event. When it throws or rejects, the response is 500, so that the service retries.
 *
 * @param event The event, parsed from the body.
 */
export type EventListener<Event extends ServiceEvent = ServiceEvent> = (
  event: Event,
  message: VerifiedMessage,
) => unknown

/** The event of a type. */
export type EventOf<Type extends KnownEventType> = MemberOf<KnownEvent, Type>
type MemberOf<Event, Type> = Event extends { event_type: infer Types }
  ? Type extends Types
    ? Event & { event_type: Type }
    : never
  : never

/** Options of {@link eventHandler} and {@link nodeEventHandler}. */
export interface EventHandlerOptions {
  /** One secret, or several during a rotation, in the form `whsec_<base64>`. */
  secrets: string | readonly string[]
  /** Listeners by event type. Patterns are not supported. */
  on: { [Type in KnownEventType]?: EventListener<EventOf<Type>> }
  /** Handles events of known types without a listener, and of unknown types. */
  fallback: EventListener
  /** Stores which messages were handled. Default: {@link memoryStore}, for one process. */
  dedupe?: DedupeStore | undefined
  /** Seconds by which the timestamp may differ from the current time, 0 or more. Default: 300. */
  tolerance?: number | undefined
  /** The largest body in bytes, at least 1. A larger body receives 413. Default: 10 MiB. */
  maxBytes?: number | undefined
  /**
   * Called when a delivery is not handled, or when the store fails: with an {@link EventError}, or with the error of a
   * listener, the store or the request's stream. Also called for unsigned requests. Its errors are ignored, and responses
   * do not wait for it.
   */
  onError?: ((error: unknown) => unknown) | undefined
}

/** Checked options with their defaults. */
export interface HandlerSettings {
  secrets: readonly string[]
  listeners: ReadonlyMap<string, EventListener>
  fallback: EventListener
  dedupe: DedupeStore
  tolerance: number
  maxBytes: number
  onError: (error: unknown) => unknown
}

const optionNames = Object.keys({
  secrets: true,
  on: true,
  fallback: true,
  dedupe: true,
  tolerance: true,
  maxBytes: true,
  onError: true,
} satisfies Record<keyof EventHandlerOptions, true>)

/**
 * Checks options and returns a copy with defaults.
 *
 * @throws {EventError} `argument_invalid`, `secret_invalid`
 */
export function parseHandlerOptions(fn: string, options: EventHandlerOptions): HandlerSettings {
  checkHandlerOptions(fn, options, optionNames)
  const { secrets, on, fallback, dedupe = memoryStore(), onError = () => {} } = options
  const { tolerance = 300, maxBytes = 10 * 1024 * 1024 } = options
  if (typeof fallback !== 'function') {
    throw invalidArgument(
      'fallback',
      'a function that handles every event without a listener in the option on',
      fallback,
    )
  }
  checkStore(dedupe)
  checkTolerance(tolerance)
  checkCount('maxBytes', maxBytes)
  checkFunction('onError', onError)
  const listeners = listenersOf(on)
  return {
    ...{ secrets: parseSecrets(secrets), listeners, fallback, dedupe },
    ...{ tolerance, maxBytes, onError },
  }
}

function checkStore(store: DedupeStore): void {
  if (!isObject(store)) throw invalidArgument('dedupe', 'a store', store)
  for (const name of ['claim', 'finish', 'release']) checkFunction(`dedupe.${name}`, store[name])
}

function listenersOf(on: EventHandlerOptions['on']): Map<string, EventListener> {
  if (!isObject(on)) throw invalidArgument('on', 'an object of listeners by type', on)
  const listeners = new Map<string, EventListener>()
  for (const [type, listener] of Object.entries(on)) {
    checkType(type)
    if (listener === undefined) continue
    checkFunction(`the listener of ${type}`, listener)
    // A listener is called with events of its own type only.
    listeners.set(type, listener as EventListener)
  }
  return listeners
}

/** Rejects unknown types, because their listener would never be called. */
function checkType(type: string): void {
  const known = knownEventTypes
  if (known.includes(type)) return
  const advice = type.includes('*')
    ? 'Patterns are not supported. List the types, or use fallback.'
    : `Did you mean ${nearest(type, known)}? Use fallback to handle unknown types.`
  throw new EventError('argument_invalid', `Unknown event type ${type} in the option on. ${advice}`)
}
