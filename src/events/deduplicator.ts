import { adopt } from '../shared/adopt.ts'
import { describeType } from './arguments.ts'
import { type Claim, claimResults, type DedupeStore, type TransactionalStore } from './dedupe.ts'
import { EventError } from './errors.ts'

/** The outcome of a delivery. */
export type DeliveryResult = 'handled' | 'duplicate' | 'busy' | 'failed' | 'rejected'

export interface DeliveryResponse {
  result: DeliveryResult
  status: number
  text: string
}

/** Makes the service retry the delivery. */
export const notHandledResponse: DeliveryResponse = {
  result: 'failed',
  status: 500,
  text: 'Not handled',
}

const handledBefore: DeliveryResponse = {
  result: 'duplicate',
  status: 200,
  text: 'Already handled',
}

/** The response to `claimed` is sent after the listener has completed. */
const responses: Record<Claim, DeliveryResponse> = {
  claimed: { result: 'handled', status: 200, text: 'Handled' },
  done: handledBefore,
  busy: { result: 'busy', status: 503, text: 'Already in progress' },
}

/** The maximum number of handled messages to remember after the store's `finish` failed. */
const unfinishedLimit = 10_000

export class Deduplicator {
  readonly #store: DedupeStore
  readonly #report: (error: unknown) => void
  /** The responses to messages in progress, keyed by id. A duplicate delivery receives the same response. */
  readonly #running = new Map<string, Promise<DeliveryResponse>>()
  /** The tokens of handled messages that the store could not mark as handled, keyed by id. */
  readonly #unfinished = new Map<string, string>()
  readonly #oldest = this.#unfinished.keys()

  constructor(store: DedupeStore, report: (error: unknown) => void) {
    this.#store = store
    this.#report = report
  }

  /** Never rejects. */
  run(id: string, listener: () => unknown): Promise<DeliveryResponse> {
    return this.#once(id, () => this.#handle(id, listener))
  }

  runInTransaction<Transaction>(
    id: string,
    store: TransactionalStore<Transaction>,
    listener: (transaction: Transaction) => unknown,
  ): Promise<DeliveryResponse> {
    return this.#once(id, async () => {
      const handle = store.handle(id, (transaction) => adopt(listener(transaction)))
      return responses[checkClaim(await adopt(handle))]
    })
  }

  #once(id: string, handle: () => Promise<DeliveryResponse>): Promise<DeliveryResponse> {
    const running = this.#running.get(id)
    if (running) return running.then(asDuplicate)
    const reply = handle()
      .catch((error: unknown) => {
        this.#report(error)
        return notHandledResponse
      })
      .finally(() => this.#running.delete(id))
    this.#running.set(id, reply)
    return reply
  }

  async #handle(id: string, listener: () => unknown): Promise<DeliveryResponse> {
    const unfinished = this.#unfinished.get(id)
    if (unfinished !== undefined) {
      await this.#finish(id, unfinished)
      return handledBefore
    }
    const token = crypto.randomUUID()
    const claim = checkClaim(await adopt(this.#store.claim(id, token)))
    if (claim !== 'claimed') return responses[claim]
    try {
      await adopt(listener())
    } catch (error) {
      this.#report(error)
      await adopt(this.#store.release(id, token))
      return notHandledResponse
    }
    await this.#finish(id, token)
    return responses.claimed
  }

  /** Marks a message as handled. If the store fails, remembers the message, so a retry does not handle it again. */
  async #finish(id: string, token: string): Promise<void> {
    try {
      const finished = await adopt(this.#store.finish(id, token))
      if (finished === false) throw claimLost()
      this.#unfinished.delete(id)
    } catch (error) {
      this.#report(error)
      this.#remember(id, token)
    }
  }

  #remember(id: string, token: string): void {
    this.#unfinished.set(id, token)
    if (this.#unfinished.size <= unfinishedLimit) return
    this.#unfinished.delete(this.#oldest.next().value ?? id)
  }
}

function asDuplicate(response: DeliveryResponse): DeliveryResponse {
  return response.result === 'handled' ? { ...response, result: 'duplicate' } : response
}

function checkClaim(result: string): Claim {
  const claim = claimResults.find((known) => known === result)
  if (claim) return claim
  throw new EventError(
    'claim_invalid',
    `Expected the dedupe store's claim to return one of ${claimResults.join(', ')}, but it returned ${typeof result === 'string' ? 'another string' : describeType(result)}. The listener was not called.`,
  )
}

function claimLost(): EventError {
  return new EventError(
    'claim_lost',
    'The claim on a message expired while its listener was running, and another receiver claimed the message. The message may be handled twice. Make claims last longer than the slowest listener.',
  )
}
