import { isObject } from '../contract/schema/object.ts'
import { settle } from '../contract/settle.ts'
import { Violation } from './expectation.ts'

/** A value, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>

/** What a probe returns. */
export interface ProbeAnswer {
  /**
   * All stored records of the user, with the field names of the event. Fields that the event also has are compared, and
   * `id` identifies a record: `timestamp` and `user_id` a sample. A record that was stored twice is listed twice.
   */
  records?: readonly object[]
  /** The ids of the handled messages. A message that was handled twice is listed twice. */
  handled?: readonly string[]
}

/** Which records a probe returns. */
export interface ProbeQuestion {
  /** The user whose records are compared. A probe may also return those of other users. */
  user_id: string
}

/** Returns what the receiver stored. A list is the same as `{ records }`. */
export type Probe = (question: ProbeQuestion) => Awaitable<ProbeAnswer | readonly object[]>

/** A record that the receiver stored. */
export type StoredRecord = Readonly<Record<string, unknown>>

/** What a probe returned, checked. */
export interface StoredState {
  records?: readonly StoredRecord[]
  handled?: readonly string[]
}

/** Calls the probe. */
export async function readProbe(probe: Probe, userId: string): Promise<StoredState> {
  const answer: unknown = await settle(probe({ user_id: userId }))
  if (Array.isArray(answer)) return { records: answer.filter(isObject) }
  if (!isObject(answer)) throw new Violation('Expected the probe to return a list or an object.')
  const { records, handled } = answer
  return {
    ...(Array.isArray(records) ? { records: records.filter(isObject) } : {}),
    ...(Array.isArray(handled) ? { handled: handled.map(String) } : {}),
  }
}

/** Returns a probe that reads JSON from a URL; the user is in the query parameter `user_id`. */
export function fetchProbe(url: string): Probe {
  return async ({ user_id }) => {
    const address = new URL(url)
    address.searchParams.set('user_id', user_id)
    const response = await globalThis.fetch(address, { headers: { accept: 'application/json' } })
    if (!response.ok) {
      throw new Violation(`Expected the probe to return status 200, found ${response.status}.`)
    }
    return response.json()
  }
}
