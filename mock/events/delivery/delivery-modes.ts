import type { Random } from '../../reference-data/random.ts'
import type { TimeSpan } from '../../state/clock/time.ts'
import type { Flaws } from './message.ts'

/** Delivery problems to simulate. The seed determines all random choices. */
export interface DeliveryModes {
  /** The maximum number of concurrent deliveries. Default: 1. */
  concurrency: number
  /** The virtual time from an event to its first delivery attempt. Default: no delay. */
  delay: TimeSpan
  /** The fraction of messages to deliver twice, from 0 to 1. Default: 0. */
  duplicates: number
  /** How many consecutive messages to shuffle before delivery. Default: 1, which keeps the order. */
  reorder: number
  /** The fraction of attempts with an invalid signature, from 0 to 1. Default: 0. */
  wrongSignatures: number
  /** The fraction of attempts whose timestamp is ten minutes old, from 0 to 1. Default: 0. */
  oldTimestamps: number
  /** The fraction of attempts whose response is lost, from 0 to 1. Default: 0. */
  lostResponses: number
}

export const defaultModes: DeliveryModes = {
  concurrency: 1,
  delay: 0,
  duplicates: 0,
  reorder: 1,
  wrongSignatures: 0,
  oldTimestamps: 0,
  lostResponses: 0,
}

export function drawFlaws(
  { wrongSignatures, oldTimestamps, lostResponses }: DeliveryModes,
  random: Random,
): { flaws: Flaws; isLost: boolean } {
  const flaws = {
    hasInvalidSignature: random.next() < wrongSignatures,
    isOld: random.next() < oldTimestamps,
  }
  return { flaws, isLost: random.next() < lostResponses }
}

export function shuffle<T>(items: readonly T[], { reorder }: DeliveryModes, random: Random): T[] {
  if (reorder <= 1) return [...items]
  return items
    .map((item) => ({ item, place: random.next() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item)
}
