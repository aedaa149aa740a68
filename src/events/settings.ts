import type { KnownEvent, KnownEventType, ServiceEvent } from '../contract/events.ts'
import { nearest } from '../contract/nearest.ts'
import { knownEventTypes } from '../contract/values/event-types.ts'
import {
  checkCount,
  checkFunction,
  checkOptions,
  checkTolerance,
  isObject,
  unexpected,
} from './arguments.ts'
import { type DedupeStore, memoryStore } from './dedupe.ts'
import { EventError } from './errors.ts'
import { checkedSecrets, type VerifiedMessage } from './verify.ts'

/** Handles an event. When it throws or rejects, the response is 500, so that the service delivers again. */
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
  /** One secret, or several while they are rotated. */
  secrets: string | readonly string[]
  /** A listener for each type that you handle; patterns are not supported. */
  on: { [Type in KnownEventType]?: EventListener<EventOf<Type>> }
  /** Everything else: known types without a listener, and types that this version of the package does not know. */
  fallback: EventListener
  /** Remembers what was handled. Default: {@link memoryStore}, for one process. */
  dedupe?: DedupeStore | undefined
  /** As for {@link verifyEvent}. */
  tolerance?: number | undefined
  /** The largest body in bytes; a larger one gets the response 413. Default: 10 MiB. */
  maxBytes?: number | undefined
  /**
   * Called with the reason when a delivery is not handled, or when its handling cannot be remembered: an
   * {@link EventError}, or what a listener, the store or the request's stream threw. Also called for requests of strangers,
   * which are not signed. What it throws or rejects with is ignored, and no response waits for it.
   */
  onError?: ((error: unknown) => unknown) | undefined
}

/** The options of a receiver, checked and with their defaults. */
export interface Settings {
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
 * Checks the options of a receiver, and copies them.
 *
 * @throws {EventError} `argument_invalid`, `secret_invalid`
 */
export function settingsOf(receiver: string, options: EventHandlerOptions): Settings {
  checkOptions(receiver, options, optionNames)
  const { secrets, on, fallback, dedupe = memoryStore(), onError = () => {} } = options
  const { tolerance = 300, maxBytes = 10 * 1024 * 1024 } = options
  if (typeof fallback !== 'function') {
    throw unexpected('fallback', 'a function for every event without a listener in on', fallback)
  }
  checkStore(dedupe)
  checkTolerance(tolerance)
  checkCount('maxBytes', maxBytes)
  checkFunction('onError', onError)
  const listeners = listenersOf(on)
  return {
    ...{ secrets: checkedSecrets(secrets), listeners, fallback, dedupe },
    ...{ tolerance, maxBytes, onError },
  }
}

function checkStore(store: DedupeStore): void {
  if (!isObject(store)) throw unexpected('dedupe', 'a store', store)
  for (const name of ['claim', 'finish', 'release']) checkFunction(`dedupe.${name}`, store[name])
}

function listenersOf(on: EventHandlerOptions['on']): Map<string, EventListener> {
  if (!isObject(on)) throw unexpected('on', 'an object of listeners by type', on)
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

/** A listener of a type that never comes would be a silent mistake. */
function checkType(type: string): void {
  const known = knownEventTypes
  if (known.includes(type)) return
  const advice = type.includes('*')
    ? 'Patterns are not supported: list the types, or use fallback.'
    : `Did you mean ${nearest(type, known)}? Types that this version of the package does not know reach fallback.`
  throw new EventError('argument_invalid', `There is no event type ${type} for on. ${advice}`)
}
