import { compareRecords, compareWithTruth, expectUnhandled, type SentRecord } from './compare.ts'
import { expectThat, NotObservable, ReceiverFailure } from './expectation.ts'
import { type EventMessage, eventMessage, type MessageHeaders, signMessage } from './message.ts'
import type { CertifySettings } from './options.ts'
import { readProbe, type StoredState } from './probe.ts'
import { deliver, describeReply, isAccepted, isTimeout, type ReceiverReply } from './receiver.ts'

/** The pauses between delivery attempts, in milliseconds. Each is at most `maxPause` times the timeout. */
const pauses = [50, 100, 200, 400, 800]
const maxPause = 0.8

/** A probe's time limit is `probeShare` times the receiver's, but at most `maxProbeTime` milliseconds. */
const probeShare = 10
const maxProbeTime = 30_000

/** The shortest time until a message is sent again at the end, in milliseconds. A longer one would slow the run. */
const minRetention = 600

/** @throws {ReceiverFailure} if the check fails, or {@link NotObservable} if the result cannot be determined. */
type Check = () => Promise<void>

export class Trial {
  readonly settings: CertifySettings
  readonly userId: string
  /** The number of deliveries that timed out. */
  timeouts = 0
  /**
   * Whether the secret seems correct even though a case failed: the receiver accepted another signed event, or the
   * failure does not look like a rejected signature.
   */
  isTrusted = false
  /** How long the receiver was slowed down, in milliseconds. */
  delay = 0
  /** The checks that have passed since the last call to `send`. They must still pass at the end of the run. */
  #passed: Check[] = []
  readonly #rejected = new Map<string, EventMessage>()
  #last: { message: EventMessage; earliest: number } | undefined

  constructor(settings: CertifySettings, userId: string) {
    this.settings = settings
    this.userId = userId
  }

  /** Sends a message. By default, signs it with the first secret and the current time. */
  async send(
    message: EventMessage,
    headers?: MessageHeaders,
    signal?: AbortSignal,
  ): Promise<ReceiverReply> {
    this.#passed = []
    this.#rejected.delete(message.id)
    return this.#transmit(message, headers, signal)
  }

  /** Signs a message with the first secret. */
  sign(message: EventMessage, secondsFromNow = 0) {
    return signMessage(message, this.settings.secrets[0], secondsFromNow)
  }

  /** @throws {ReceiverFailure} unless the status is 2xx. */
  async accept(
    event: object | string | EventMessage,
    headers?: MessageHeaders,
  ): Promise<EventMessage> {
    const message = isMessage(event) ? event : eventMessage(event)
    const reply = await this.send(message, headers)
    expectThat(isAccepted(reply), `Expected a 2xx response, found ${this.describe(reply)}.`)
    return message
  }

  /**
   * Sends a message that the receiver must reject. At the end of the run, {@link Trial.lookAgain} checks that the
   * message had no effect.
   *
   * @throws {ReceiverFailure} unless the status is 4xx.
   */
  async reject(message: EventMessage, headers: MessageHeaders): Promise<void> {
    const reply = await this.#transmit(message, headers)
    const isRejected = 'status' in reply && reply.status >= 400 && reply.status < 500
    expectThat(isRejected, `Expected a 4xx response, found ${this.describe(reply)}.`)
    this.#rejected.set(message.id, message)
  }

  /**
   * Slows down the handling of the next message. Checks then wait longer, because a receiver may respond first and
   * handle the message in a job.
   */
  async slowDown(milliseconds: number): Promise<void> {
    await this.settings.simulate.delay?.(milliseconds)
    this.delay = milliseconds
  }

  /**
   * Sends a message, and retries it up to five times until the receiver accepts it. Stops after two consecutive
   * timeouts.
   *
   * @throws {ReceiverFailure} if the receiver does not accept the message.
   */
  async deliver(message: EventMessage): Promise<void> {
    await this.#retry(message, await this.send(message))
  }

  /**
   * Sends messages concurrently, and retries each as {@link Trial.deliver} does.
   *
   * @throws {ReceiverFailure} if the receiver does not accept all messages.
   */
  async deliverTogether(messages: readonly EventMessage[]): Promise<void> {
    // Sign all messages first, so that the deliveries start together.
    const signed = await Promise.all(messages.map((message) => this.sign(message)))
    const sending = messages.map((message, at) => this.send(message, signed[at]))
    const replies = await Promise.all(sending)
    await Promise.all(
      messages.map((message, at) => this.#retry(message, replies[at] ?? { failure: 'timeout' })),
    )
  }

  /**
   * Schedules another delivery of a message at the end of the run, at least `minRetention` milliseconds from now. The
   * checks that have passed must then pass again.
   */
  sendAgainAtEnd(message: EventMessage): void {
    this.#last = { message, earliest: performance.now() + minRetention }
  }

  /**
   * Sends the message that was passed to {@link Trial.sendAgainAtEnd}.
   *
   * @throws {ReceiverFailure} unless the status is 2xx.
   */
  async sendLast(): Promise<void> {
    if (!this.#last) return
    const { message, earliest } = this.#last
    await wait(Math.max(0, earliest - performance.now()))
    const reply = await this.#transmit(message)
    expectThat(isAccepted(reply), `Expected a 2xx response, found ${this.describe(reply)}.`)
  }

  /**
   * Compares the stored records with the sent ones until they match or the receiver has had time for background work.
   *
   * @param field The field that the case tests.
   * @throws {ReceiverFailure} if they differ, or {@link NotObservable} if the result cannot be determined.
   */
  async expectStored(records: readonly SentRecord[], field?: string): Promise<void> {
    await this.eventually(async () => {
      compareRecords(records, await this.stored(), field)
    })
  }

  /**
   * Compares the stored records with the team's truth. Repeats the comparison as {@link Trial.expectStored} does.
   *
   * @throws {ReceiverFailure} if they differ, or {@link NotObservable} if the result cannot be determined.
   */
  async expectTruth(truth: readonly SentRecord[]): Promise<void> {
    await this.eventually(async () => compareWithTruth(truth, await this.stored()))
    // Do not repeat the check at the end of the run, because later cases may simulate more days for this user.
    this.#passed = []
  }

  /**
   * @throws {ReceiverFailure} unless the message was handled exactly once, under its own id or one of `otherIds`.
   * Passes if the probe does not return `handled`.
   */
  async expectHandledOnce({ id }: EventMessage, otherIds: readonly string[] = []): Promise<void> {
    await this.eventually(async () => {
      const { handled } = await this.#probe()
      const ids = [id, ...otherIds]
      const count = handled?.filter((one) => ids.includes(one)).length ?? 1
      expectThat(count === 1, `The receiver handled the message ${count} times instead of once.`)
    })
  }

  /** @throws {NotObservable} when the probe returns no records. */
  async stored() {
    const { records } = await this.#probe()
    if (!records) throw new NotObservable('the probe returns no records')
    return records
  }

  describe(reply: ReceiverReply): string {
    return describeReply(reply, this.settings.timeout)
  }

  /**
   * Repeats the passed checks and looks for effects of rejected messages. Call this after the receiver has had time for
   * background work.
   *
   * @throws {ReceiverFailure} when a check no longer passes, or a rejected message had an effect.
   */
  async lookAgain(): Promise<void> {
    for (const check of this.#passed) await check()
    if (!this.settings.probe || this.#rejected.size === 0) return
    const state = await this.#probe()
    for (const message of this.#rejected.values()) expectUnhandled(message, state)
  }

  async #transmit(
    message: EventMessage,
    headers?: MessageHeaders,
    signal?: AbortSignal,
  ): Promise<ReceiverReply> {
    const { target, timeout } = this.settings
    const signed = headers ?? (await this.sign(message))
    const sent = { body: message.body, headers: signed }
    const reply = await deliver(target, sent, timeout, signal)
    if (isTimeout(reply)) this.timeouts += 1
    return reply
  }

  async #retry(message: EventMessage, first: ReceiverReply): Promise<void> {
    let reply = first
    for (const pause of pauses) {
      if (isAccepted(reply)) return
      await wait(Math.min(pause, maxPause * this.settings.timeout))
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
    return readProbe(probe, this.userId, Math.min(probeShare * timeout, maxProbeTime))
  }

  /** Repeats a check until it passes or the receiver has had time for background work. */
  async eventually(check: Check): Promise<void> {
    const end = performance.now() + this.settings.settleTime + this.delay
    while (true) {
      try {
        await check()
        this.#passed.push(check)
        return
      } catch (error) {
        const isFinal = !(error instanceof ReceiverFailure || error instanceof NotObservable)
        if (isFinal || performance.now() >= end) throw error
      }
      await wait(Math.min(20, this.settings.settleTime + this.delay))
    }
  }
}

function isMessage(event: object | string): event is EventMessage {
  return typeof event === 'object' && 'body' in event && 'id' in event
}

/** Waits in real time, because the receiver does not use a virtual clock. */
export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
