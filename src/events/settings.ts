import type { KnownEvent, KnownEventType, ServiceEvent } from '../contract/events.ts'
import { nearest } from '../contract/schema-tools/nearest.ts'
import { knownEventTypes } from '../contract/values/event-types.ts'
import { isObject } from '../shared/narrow.ts'
import { ownFields } from '../shared/own-fields.ts'
import {
  checkCount,
  checkFunction,
  checkHandlerOptions,
  checkTolerance,
  invalidArgument,
} from './arguments.ts'
import { type DedupeStore, memoryStore, type TransactionalStore } from './dedupe.ts'
import type { DeliveryResult } from './deduplicator.ts'
import { EventError } from './errors.ts'
import { parseSecrets, type VerifiedMessage } from './verify.ts'

/**
 * Handles an event. If it throws or rejects, the response is a 500, so the service retries.
 *
 * @param event The event, parsed from the body.
 */
export type EventListener<Event extends ServiceEvent = ServiceEvent> = (
  event: Event,
  message: VerifiedMessage,
) => unknown

/** The known event with a given `event_type`. */
export type EventOf<Type extends KnownEventType> = MemberOf<KnownEvent, Type>
type MemberOf<Event, Type> = Event extends { event_type: infer Types }
  ? Type extends Types
    ? Event & { event_type: Type }
    : never
  : never

/** The options that {@link EventHandlerOptions} and {@link TransactionHandlerOptions} share. */
export interface DeliveryOptions {
  /** The secret, or several during a rotation, in the form `whsec_<base64>`. */
  secrets: string | readonly string[]
  /** The maximum difference between the timestamp and the current time, in seconds; at least 0. Default: 300. */
  tolerance?: number | undefined
  /** The maximum size of a body in bytes, at least 1. Larger bodies are rejected with 413. Default: 10 MiB. */
  maxBytes?: number | undefined
  /**
   * Called when a delivery is not handled or the store fails, with an {@link EventError} or an error from a listener,
   * the store or the request's stream. Also called for unsigned requests, but not if the response is a 405, 413 or 503.
   * Errors it throws are ignored, and responses do not wait for it.
   */
  onError?: ((error: unknown) => unknown) | undefined
  /**
   * Called after each request, for metrics. It receives no ids and no content. Errors it throws are ignored, and
   * responses do not wait for it.
   */
  onDelivery?: ((delivery: DeliveryReport) => unknown) | undefined
}

/** A report on one delivery, passed to `onDelivery`. */
export interface DeliveryReport {
  /**
   * `handled`: the listener completed. `duplicate`: the message was handled before, or by a concurrent delivery.
   * `busy`: another receiver is handling the message. `failed`: the listener or the store failed, or the body could not
   * be read. `rejected`: the request is not a valid delivery.
   */
  result: DeliveryResult
  /** The event's type; absent if no valid event was received. */
  eventType?: string
  /** Milliseconds from the message's timestamp to its arrival; absent if no valid event was received. */
  age?: number
  /** Milliseconds from the request's arrival to its response. */
  duration: number
}

/** Options for {@link eventHandler} and {@link nodeEventHandler}. */
export interface EventHandlerOptions extends DeliveryOptions {
  /** Listeners, keyed by event type. Patterns are not supported. */
  on: { [Type in KnownEventType]?: EventListener<EventOf<Type>> }
  /** Handles events whose type is unknown or has no listener. */
  fallback: EventListener
  /** Records which messages were handled. Default: {@link memoryStore}, for one process. */
  dedupe?: DedupeStore | undefined
  /** Not allowed with `on` and `fallback`; see {@link TransactionHandlerOptions}. */
  transaction?: undefined
}

/**
 * Options for {@link eventHandler} and {@link nodeEventHandler} with a listener that shares the store's transaction.
 */
export interface TransactionHandlerOptions<Transaction> extends DeliveryOptions {
  /**
   * Handles every event in the transaction that marks its message as handled, so either both take effect or neither
   * does. If it throws or rejects, the transaction is rolled back and the response is a 500. Inside the function, do
   * not await the store, and make only changes that can be rolled back.
   *
   * @param transaction The store's transaction, such as `{ query(text, values) }` for `postgresStore`.
   */
  transaction: (transaction: Transaction, event: ServiceEvent, message: VerifiedMessage) => unknown
  /** Records handled messages in a transaction: a store from `postgresStore`, or your own. */
  dedupe: TransactionalStore<Transaction>
  /** Not allowed with `transaction`. */
  on?: undefined
  /** Not allowed with `transaction`. */
  fallback?: undefined
}

export interface HandlerSettings {
  secrets: readonly string[]
  tolerance: number
  maxBytes: number
  onError: (error: unknown) => unknown
  onDelivery: (delivery: DeliveryReport) => unknown
  dedupe: DedupeStore
  handling: Handling
}

export type Handling =
  | { listeners: ReadonlyMap<string, EventListener>; fallback: EventListener }
  | Pick<TransactionHandlerOptions<unknown>, 'transaction' | 'dedupe'>

const deliveryOptionNames = {
  ...{ secrets: true, dedupe: true, tolerance: true, maxBytes: true },
  ...{ onError: true, onDelivery: true },
  ...{ on: true, fallback: true, transaction: true },
} satisfies Record<keyof EventHandlerOptions, true>
const optionNames = Object.keys(deliveryOptionNames)

export function parseHandlerOptions<Transaction>(
  fn: string,
  options: EventHandlerOptions | TransactionHandlerOptions<Transaction>,
): HandlerSettings {
  checkHandlerOptions(fn, options, optionNames)
  const own = ownFields(options)
  const { secrets, onError = () => {}, onDelivery = () => {} } = own
  const { tolerance = 300, maxBytes = 10 * 1024 * 1024, dedupe = memoryStore() } = own
  // The types guarantee that the store provides the transaction that the listener expects.
  const handling =
    own.transaction === undefined
      ? checkListeners(own as EventHandlerOptions)
      : checkTransaction(own as TransactionHandlerOptions<unknown>)
  checkStore(dedupe)
  checkTolerance(tolerance)
  checkCount('maxBytes', maxBytes)
  checkFunction('onError', onError)
  checkFunction('onDelivery', onDelivery)
  const limits = { tolerance, maxBytes }
  return { secrets: parseSecrets(secrets), handling, dedupe, ...limits, onError, onDelivery }
}

function checkListeners({ on, fallback }: EventHandlerOptions): Handling {
  if (typeof fallback !== 'function') {
    throw invalidArgument(
      'fallback',
      'a function that handles every event without a listener in the on option',
      fallback,
    )
  }
  return { listeners: listenersOf(on), fallback }
}

function checkTransaction(options: TransactionHandlerOptions<unknown>): Handling {
  const { transaction, dedupe, on, fallback } = options
  checkFunction('transaction', transaction)
  if (typeof Object(dedupe).handle !== 'function') {
    throw invalidArgument(
      'dedupe',
      'a store that supports transactions, such as postgresStore(db)',
      dedupe,
    )
  }
  if (on === undefined && fallback === undefined) return { transaction, dedupe }
  throw new EventError(
    'argument_invalid',
    'Pass either `transaction`, which handles every event, or `on` and `fallback`.',
  )
}

function checkStore(store: DedupeStore): void {
  if (!isObject(store)) throw invalidArgument('dedupe', 'a store', store)
  for (const name of ['claim', 'finish', 'release']) checkFunction(`dedupe.${name}`, store[name])
}

function listenersOf(on: EventHandlerOptions['on']): Map<string, EventListener> {
  if (!isObject(on)) throw invalidArgument('on', 'an object with listeners keyed by type', on)
  const listeners = new Map<string, EventListener>()
  for (const [type, listener] of Object.entries(on)) {
    checkType(type)
    if (listener === undefined) continue
    checkFunction(`the listener for ${type}`, listener)
    // A listener is only called with events of its own type.
    listeners.set(type, listener as EventListener)
  }
  return listeners
}

/** Rejects an unknown type, because its listener would never be called. */
function checkType(type: string): void {
  const known = knownEventTypes
  if (known.includes(type)) return
  const advice = type.includes('*')
    ? 'Patterns are not supported. List the types, or use fallback.'
    : `Did you mean ${nearest(type, known)}? Use fallback to handle unknown types.`
  throw new EventError('argument_invalid', `Unknown event type ${type} in the on option. ${advice}`)
}
