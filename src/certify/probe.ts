import { type Awaitable, adopt } from '../shared/adopt.ts'
import { isObject } from '../shared/narrow.ts'
import { ReceiverFailure } from './expectation.ts'

/** The stored state that a probe returns. */
export interface ProbeAnswer {
  /**
   * All of the user's stored records, with the events' field names. Only fields that the event also contains are
   * compared. A record is identified by its `id`, and a sample by its `timestamp` and `user_id` (if present). If a
   * record was stored twice, list it twice.
   */
  records?: readonly object[]
  /** The ids of the handled messages. If a message was handled twice, list its id twice. */
  handled?: readonly string[]
}

/** The argument of a probe. */
export interface ProbeQuestion {
  /** The id of the user whose records to return. The probe may also return other users' records. */
  user_id: string
}

/** Returns what the receiver stored. A list is shorthand for `{ records }`. */
export type Probe = (question: ProbeQuestion) => Awaitable<ProbeAnswer | readonly object[]>

export type AbortableProbe = (question: ProbeQuestion, signal: AbortSignal) => ReturnType<Probe>

export type ProbedRecord = Readonly<Record<string, unknown>>

export interface StoredState {
  records?: readonly ProbedRecord[]
  handled?: readonly string[]
}

/** @throws {ReceiverFailure} if the probe does not return a list or an object in time. */
export async function readProbe(
  probe: AbortableProbe,
  userId: string,
  timeout: number,
): Promise<StoredState> {
  const reading = new AbortController()
  const reply = adopt(probe({ user_id: userId }, reading.signal))
  const answer: unknown = await inTime(reply, timeout).finally(() => reading.abort())
  if (Array.isArray(answer)) return { records: answer.filter(isObject) }
  if (!isObject(answer))
    throw new ReceiverFailure('Expected the probe to return a list or an object.')
  const { records, handled } = answer
  return {
    ...(Array.isArray(records) ? { records: records.filter(isObject) } : {}),
    ...(Array.isArray(handled) ? { handled: handled.map(String) } : {}),
  }
}

async function inTime(answer: Promise<unknown>, timeout: number): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new ReceiverFailure(`Expected the probe to return within ${timeout} ms.`)
    timer = setTimeout(() => reject(error), timeout)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

/** Returns a probe that fetches the stored state from `url`, with the query parameter `user_id`. */
export function fetchProbe(url: string): AbortableProbe {
  return async ({ user_id }, signal) => {
    const address = new URL(url)
    address.searchParams.set('user_id', user_id)
    const headers = { accept: 'application/json' }
    const response = await globalThis.fetch(address, { headers, signal }).catch(() => {
      throw new ReceiverFailure('The probe did not respond: the connection failed.')
    })
    if (!response.ok) {
      throw new ReceiverFailure(
        `Expected the probe to return a 2xx status, found ${response.status}.`,
      )
    }
    return response.json().catch(() => {
      throw new ReceiverFailure('The probe did not return JSON.')
    })
  }
}
