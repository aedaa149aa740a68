import { kindOf } from './arguments.ts'
import { type Claim, claimResults, type DedupeStore } from './dedupe.ts'
import { EventError } from './errors.ts'

/** The response to a delivery. */
export interface Reply {
  status: number
  text: string
}

/** The response when something failed on this side: the service delivers again. */
export const notHandled: Reply = { status: 500, text: 'Not handled' }

const handledBefore: Reply = { status: 200, text: 'Handled before' }

/** How many completed messages that the store did not accept are remembered. */
const unfinishedLimit = 10_000

/** Runs the listener of a message once, and reports what the listener or the store throws. */
export class Once {
  readonly #store: DedupeStore
  readonly #report: (error: unknown) => void
  /** Messages that are being handled here, so that a second delivery shares the response to the first. */
  readonly #running = new Map<string, Promise<Reply>>()
  /** Tokens of messages that were handled here, but that the store did not mark as handled. */
  readonly #unfinished = new Map<string, string>()

  constructor(store: DedupeStore, report: (error: unknown) => void) {
    this.#store = store
    this.#report = report
  }

  /** Runs a listener unless the message was handled or is being handled. Never rejects. */
  run(id: string, listener: () => unknown): Promise<Reply> {
    const running = this.#running.get(id)
    if (running) return running
    const reply = this.#handle(id, listener)
      .catch((error: unknown) => {
        this.#report(error)
        return notHandled
      })
      .finally(() => this.#running.delete(id))
    this.#running.set(id, reply)
    return reply
  }

  async #handle(id: string, listener: () => unknown): Promise<Reply> {
    const unfinished = this.#unfinished.get(id)
    if (unfinished !== undefined) {
      await this.#finish(id, unfinished)
      return handledBefore
    }
    const token = crypto.randomUUID()
    const claim = checkClaim(await this.#store.claim(id, token))
    if (claim === 'done') return handledBefore
    if (claim === 'busy') return { status: 503, text: 'Being handled elsewhere' }
    try {
      await listener()
    } catch (error) {
      this.#report(error)
      await this.#store.release(id, token)
      return notHandled
    }
    await this.#finish(id, token)
    return { status: 200, text: 'Handled' }
  }

  /** Marks a message as handled. When that fails, it is remembered here: another response would run it again. */
  async #finish(id: string, token: string): Promise<void> {
    try {
      const finished = await this.#store.finish(id, token)
      if (finished === false) throw claimLost()
      this.#unfinished.delete(id)
    } catch (error) {
      this.#report(error)
      this.#remember(id, token)
    }
  }

  #remember(id: string, token: string): void {
    this.#unfinished.set(id, token)
    const [oldest = id] = this.#unfinished.keys()
    if (this.#unfinished.size > unfinishedLimit) this.#unfinished.delete(oldest)
  }
}

function checkClaim(result: string): Claim {
  const claim = claimResults.find((known) => known === result)
  if (claim) return claim
  throw new EventError(
    'claim_invalid',
    `Expected claim of the dedupe store to return ${claimResults.join(', ')}, but it returned ${typeof result === 'string' ? 'another string' : kindOf(result)}. The listener was not run.`,
  )
}

function claimLost(): EventError {
  return new EventError(
    'claim_lost',
    'The claim of a message expired while its listener ran, and another receiver claimed the message: its listener may run twice. Let claims expire later than the slowest listener takes.',
  )
}
