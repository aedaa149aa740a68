import type { Random } from '../../reference-data/random.ts'
import { typeMatcher } from '../type-pattern.ts'
import type { PlannedAttempt } from './attempt-queue.ts'
import type { DeadLetter, DeliveryTarget } from './deliveries.ts'
import { type DeliveryModes, defaultModes } from './delivery-modes.ts'
import type { EndpointHealth } from './endpoint-health.ts'
import { isLocal, newSecret, type WebhookInput } from './webhook-input.ts'

/** A receiver in a snapshot, without its functions. */
export interface ReceiverState extends DeliveryModes {
  id: string
  /** The URL, or null for a handler. */
  url: string | null
  /** The signing secret, `whsec_<base64>`. */
  secret: string
  /** The event types to deliver. */
  types: readonly string[]
  /** The number of the next event to read. */
  next: number
  /** The attempts that are in progress or planned. */
  queue: readonly PlannedAttempt[]
  /** The messages whose final attempt failed, oldest first. */
  deadLetters: DeadLetter[]
  /** The receiver's failures since the latest success. Default: none. */
  health?: EndpointHealth
  /** The number of `redeliver` calls. Default: 0. */
  redeliveries?: number
}

export type ReceiverSettings = Omit<ReceiverState, 'next' | 'queue' | 'deadLetters'>

export function defaultReceiverSettings(id: string, random: Random): ReceiverSettings {
  const secret = newSecret(random.fork(`webhook/${id}/secret`))
  return { ...defaultModes, id, url: null, secret, types: ['*'] }
}

const optionNames = ['secret', ...Object.keys(defaultModes)]

export function withOptions(settings: ReceiverSettings, input: WebhookInput): ReceiverSettings {
  const options = Object.entries(input).filter(
    ([name, value]) => value !== undefined && optionNames.includes(name),
  )
  const types = [...(input.types ?? settings.types)] // the caller may change its own list
  return { ...settings, ...Object.fromEntries(options), types, url: input.url ?? null }
}

/**
 * Returns the function that receives deliveries, if any. A URL from a snapshot can be on another machine only if
 * `allowsRemote` is true. The URL from the test's options is always allowed.
 */
export function deliveryTargetOf(
  url: string | null,
  { url: allowed, handler, fetch }: WebhookInput,
  allowsRemote: boolean,
): DeliveryTarget | undefined {
  if (url === null) return handler
  if (url === allowed) return fetch ?? globalThis.fetch
  return allowsRemote || isLocal(url) ? globalThis.fetch : undefined
}

export function anyTypeMatcher(patterns: readonly string[]): (type: string) => boolean {
  const matchers = patterns.map(typeMatcher)
  return (type) => matchers.some((matches) => matches(type))
}
