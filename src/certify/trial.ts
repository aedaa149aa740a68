import { compareRecord, matchesOf, type SentRecord } from './compare.ts'
import { compareWithTruth } from './difference.ts'
import { expectThat, NotObservable, Violation } from './expectation.ts'
import { type Message, type MessageHeaders, messageOf, signMessage } from './message.ts'
import type { CertifySettings } from './options.ts'
import { readProbe, type StoredState } from './probe.ts'
import { deliver, describeReply, isAccepted, isTimeout, type Reply } from './receiver.ts'

/** The pauses between the attempts of a delivery, as shares of the timeout. */
const pauses = [0.05, 0.1, 0.2, 0.4, 0.8]

/** How much longer than the receiver a probe may take. */
const probeShare = 10

/** What a case works with: it sends messages, and compares what the receiver stored. */
export class Trial {
  readonly settings: CertifySettings
  /** The user of the events. */
  readonly userId: string
  /** Is part of the ids of messages that the case does not create itself. */
  readonly runId: string = crypto.randomUUID()
  /** The number of deliveries without a response in time. */
  timeouts = 0

  constructor(settings: CertifySettings, userId: string) {
    this.settings = settings
    this.userId = userId
  }

  /** Sends a message once. Default for the headers: signed now with the first secret. */
  async send(message: Message, headers?: MessageHeaders, signal?: AbortSignal): Promise<Reply> {
    const { target, secrets, timeout } = this.settings
    const signed = headers ?? (await signMessage(message, secrets[0]))
    const reply = await deliver(target, message, signed, timeout, signal)
    if (isTimeout(reply)) this.timeouts += 1
    return reply
  }

  /** Sends an event or a message, and returns the message. @throws {Violation} unless the response is a 2xx. */
  async accept(event: object | string | Message, headers?: MessageHeaders): Promise<Message> {
    const message = isMessage(event) ? event : messageOf(event)
    const reply = await this.send(message, headers)
    expectThat(isAccepted(reply), `Expected a 2xx response, found ${this.describe(reply)}.`)
    return message
  }

  /** Sends a message that the receiver must not trust. @throws {Violation} unless the response is a 4xx. */
  async reject(message: Message, headers: MessageHeaders): Promise<void> {
    const reply = await this.send(message, headers)
    const isRejected = 'status' in reply && reply.status >= 400 && reply.status < 500
    expectThat(isRejected, `Expected a 4xx response, found ${this.describe(reply)}.`)
    if (this.settings.probe) await this.expectUnhandled(message)
  }

  /** Sends a message until it is accepted, as the service retries. @throws {Violation} when it never is. */
  async deliver(message: Message): Promise<void> {
    await this.#retry(message, await this.send(message))
  }

  /** Sends messages at the same time, each until it is accepted. @throws {Violation} when one never is. */
  async deliverTogether(messages: readonly Message[]): Promise<void> {
    const { secrets } = this.settings
    // Signed before, so that nothing separates the deliveries.
    const signed = await Promise.all(messages.map((message) => signMessage(message, secrets[0])))
    const sending = messages.map((message, at) => this.send(message, signed[at]))
    const replies = await Promise.all(sending)
    await Promise.all(
      messages.map((message, at) => this.#retry(message, replies[at] ?? { failure: 'timeout' })),
    )
  }

  /**
   * Compares stored records with those that were sent, until they are the same or the receiver had time for work in
   * the background.
   *
   * @param field A field that must be stored, because the case is about it.
   * @throws {Violation} when they differ, {@link NotObservable} when that cannot be seen
   */
  async expectStored(records: readonly SentRecord[], field?: string): Promise<void> {
    await this.#eventually(async () => {
      const stored = await this.stored()
      for (const record of records) compareRecord(record, stored, field)
    })
  }

  /**
   * Compares the stored records with those that a receiver of all events must have.
   *
   * @throws {Violation} when they differ, {@link NotObservable} when that cannot be seen
   */
  async expectTruth(truth: readonly SentRecord[]): Promise<void> {
    await this.#eventually(async () => compareWithTruth(truth, await this.stored()))
  }

  /** @throws {Violation} unless the message was handled once; does nothing when the probe does not list messages. */
  async expectHandledOnce({ id }: Message): Promise<void> {
    await this.#eventually(async () => {
      const { handled } = await this.#probe()
      const count = handled?.filter((one) => one === id).length ?? 1
      expectThat(count === 1, `Expected the message to be handled once, found ${count} times.`)
    })
  }

  /** Returns the stored records of the user. @throws {NotObservable} when the probe returns none. */
  async stored() {
    const { records } = await this.#probe()
    if (!records) throw new NotObservable('the probe returns no records')
    return records
  }

  /** Describes a reply for a message. */
  describe(reply: Reply): string {
    return describeReply(reply, this.settings.timeout)
  }

  /** @throws {Violation} when a rejected message had an effect. */
  private async expectUnhandled({ id, body }: Message): Promise<void> {
    const { records = [], handled = [] } = await this.#probe()
    expectThat(!handled.includes(id), 'Expected a rejected message not to be handled.')
    const sent = recordsOf(body).flatMap((record) => matchesOf(record, records))
    expectThat(sent.length === 0, 'Expected no record of a rejected message to be stored.')
  }

  async #retry(message: Message, first: Reply): Promise<void> {
    let reply = first
    for (const pause of pauses) {
      if (isAccepted(reply)) return
      await wait(pause * this.settings.timeout)
      const wasTimeout = isTimeout(reply)
      reply = await this.send(message)
      if (wasTimeout && isTimeout(reply)) break
    }
    expectThat(
      isAccepted(reply),
      `Expected a retry to receive a 2xx response, found ${this.describe(reply)}.`,
    )
  }

  async #probe(): Promise<StoredState> {
    const { probe, timeout } = this.settings
    if (!probe) throw new NotObservable('there is no probe')
    return readProbe(probe, this.userId, probeShare * timeout)
  }

  /** Repeats a check until it passes or the receiver had time to settle. */
  async #eventually(check: () => Promise<void>): Promise<void> {
    const end = performance.now() + this.settings.settleTime
    while (true) {
      try {
        return await check()
      } catch (error) {
        if (!(error instanceof Violation) || performance.now() >= end) throw error
      }
      await wait(Math.min(20, this.settings.settleTime))
    }
  }
}

function isMessage(event: object | string): event is Message {
  return typeof event === 'object' && 'body' in event && 'id' in event
}

/** Returns the records in the body of an event that certify sent. */
function recordsOf(body: string): SentRecord[] {
  const event = JSON.parse(body) as { data?: { data?: SentRecord[] } }
  return event.data?.data ?? []
}

/** Waits in real time, like the receiver. */
export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
