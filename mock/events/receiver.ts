import { MockError } from '../errors.ts'
import { deliverySchedule, deliveryTimeout, undeliveredLimit } from '../state/defaults.ts'
import { spanOf, type TimeSpan } from '../state/time.ts'
import type { World } from '../state/world.ts'
import type { EventBody } from './bodies.ts'
import type { Spoiling } from './message.ts'
import { typeMatcher } from './outbox.ts'
import { isSecret, newSecret } from './secret.ts'

/** How badly events are delivered. What is left to chance follows from the seed. */
export interface DeliveryModes {
  /** How many messages are under way at once. Default: 1. */
  concurrency: number
  /** Team time from an event to its first attempt. Default: none. */
  delay: TimeSpan
  /** From 0 to 1: how many messages come twice. Default: 0. */
  duplicates: number
  /** Among how many messages each may overtake the others. Default: 1, which keeps their order. */
  reorder: number
  /** From 0 to 1: how many attempts have a signature that does not hold. Default: 0. */
  wrongSignatures: number
  /** From 0 to 1: how many attempts have a timestamp of ten minutes ago. Default: 0. */
  oldTimestamps: number
  /** From 0 to 1: how many attempts count as failed whatever the receiver answers. Default: 0. */
  lostAnswers: number
}

/** Answers a delivery, as a server's Fetch-style handler does. */
export type DeliveryTarget = (request: Request) => Response | Promise<Response>

/** A receiver of events: a `url` or a `handler`. */
export interface WebhookInput extends Partial<DeliveryModes> {
  /** Default: `webhook_1` and so on. */
  id?: string
  /** On this machine, unless `allowRemote`: events hold what tests made up, and go nowhere else by accident. */
  url?: string
  /** A function in the place of a server. */
  handler?: DeliveryTarget
  /** What requests to the `url` are made with. Default: the platform's `fetch`. */
  fetch?: DeliveryTarget
  /** Whether the `url` may be on another machine. Default: false. */
  allowRemote?: boolean
  /** `whsec_` and base64. Default: one made from the seed. */
  secret?: string
  /** The types to deliver; `*` stands for any part of one, as in `daily.data.*.created`. Default: all of them. */
  types?: readonly string[]
}

/** An attempt that was made. */
export interface Delivery {
  /** The number of the event in the outbox. */
  readonly number: number
  /** The id of the message, which all its attempts have. */
  readonly id: string
  readonly event_type: string
  /** 1 for the first one. */
  readonly attempt: number
  /** Whether it is the second coming of a message that was to be duplicated; it is never repeated. */
  readonly isDuplicate: boolean
  readonly isWronglySigned: boolean
  readonly isOld: boolean
  /** Team time. */
  readonly at: Date
  readonly outcome: 'delivered' | 'failed'
  /** What was answered; undefined when no answer came. */
  readonly status: number | undefined
  /** Why an attempt failed that was not answered: no answer came, came in time, or the handler threw. */
  readonly error: 'no_answer' | 'timeout' | 'threw' | undefined
}

/** A message whose last attempt failed. */
export interface DeadLetter {
  readonly number: number
  readonly id: string
  readonly event_type: string
  readonly body: EventBody
}

interface Attempt {
  number: number
  attempt: number
  /** Milliseconds since 1970. */
  at: number
  isDuplicate: boolean
  /** A message that is delivered anew, after its event may have been dropped. */
  letter?: DeadLetter
}

/** What a snapshot keeps of a receiver: all but its function. */
export interface ReceiverState extends DeliveryModes {
  id: string
  url: string | null
  secret: string
  types: readonly string[]
  /** The number of the next event to look at. */
  next: number
  queue: Attempt[]
  deadLetters: DeadLetter[]
}

const inOrder: DeliveryModes = {
  concurrency: 1,
  delay: 0,
  duplicates: 0,
  reorder: 1,
  wrongSignatures: 0,
  oldTimestamps: 0,
  lostAnswers: 0,
}

/** The fields of an input that are kept as they are. */
const takenOver: ReadonlySet<string> = new Set(['secret', 'types', ...Object.keys(inOrder)])

/**
 * Delivers the events of a team's outbox to one receiver. It walks the outbox at its own pace, and keeps by itself only
 * what is to be repeated, so that a million events take no memory while they wait.
 */
export class Receiver {
  readonly id: string
  readonly #world: World
  #state: ReceiverState
  #target: DeliveryTarget | undefined
  /** What the test allows; a snapshot may be anybody's, and allows nothing. */
  #given: Pick<WebhookInput, 'url' | 'handler' | 'fetch'> = {}
  #matches: (type: string) => boolean = () => true
  #log: Delivery[] = []
  readonly #underWay = new Set<Attempt>()
  /** Moments for which the clock was asked to wake it. */
  readonly #wakes = new Set<number>()
  /** Counts the beginnings, so that an attempt from before the latest one changes nothing. */
  #epoch = 0
  #run: Promise<void> | undefined

  constructor(id: string, world: World) {
    this.id = id
    this.#world = world
    this.#state = {
      ...inOrder,
      id,
      url: null,
      secret: newSecret(world.random.fork(`webhook/${id}/secret`)),
      types: ['*'],
      next: world.outbox.count + 1,
      queue: [],
      deadLetters: [],
    }
  }

  /** Where it is; null for a function. */
  get url(): string | null {
    return this.#state.url
  }

  get secret(): string {
    return this.#state.secret
  }

  get types(): readonly string[] {
    return this.#state.types
  }

  /** How many attempts are under way, due or planned. */
  get pending(): number {
    let unseen = 0
    const { outbox } = this.#world
    for (let number = this.#state.next; number <= outbox.count; number += 1) {
      if (this.#matches(outbox.glance(number)?.event_type ?? '')) unseen += 1
    }
    return this.#underWay.size + this.#state.queue.length + unseen
  }

  /** Whether it has somewhere to deliver to; after the restoring of a snapshot a function is missing. */
  get isAttached(): boolean {
    return this.#target !== undefined
  }

  /** Whether an attempt is under way. */
  get isBusy(): boolean {
    return this.#run !== undefined
  }

  /** The attempts that were made, the oldest first. */
  deliveries(): Delivery[] {
    return [...this.#log]
  }

  /** The messages whose last attempt failed, the oldest first. */
  deadLetters(): DeadLetter[] {
    return [...this.#state.deadLetters]
  }

  /**
   * Delivers a message again, with all its attempts; without an id every dead letter.
   *
   * @throws {MockError} `unknown_record` when there is no message of this id.
   */
  redeliver(id?: string): void {
    const { deadLetters } = this.#state
    const letters = deadLetters.filter((letter) => id === undefined || letter.id === id)
    const known = this.#world.outbox.list().find((event) => event.id === id)
    const found = letters.length > 0 || !known ? letters : [known]
    if (found.length === 0 && id !== undefined) {
      throw new MockError('unknown_record', 'Expected the id of a message that was sent.')
    }
    this.#state.deadLetters = deadLetters.filter((letter) => !letters.includes(letter))
    for (const { number, id, event_type, body } of found) {
      const letter = { number, id, event_type, body }
      this.#plan({ number, attempt: 1, at: this.#world.clock.moment, isDuplicate: false, letter })
    }
    this.wake()
  }

  /** Takes over what a test says of the receiver. */
  attach(input: WebhookInput): void {
    const { url, handler, fetch } = input
    const given = Object.entries(input).filter(
      ([name, value]) => value !== undefined && takenOver.has(name),
    )
    this.#state = { ...this.#state, ...Object.fromEntries(given), url: url ?? null }
    this.#given = {
      ...(url === undefined ? {} : { url }),
      ...(handler ? { handler } : {}),
      ...(fetch ? { fetch } : {}),
    }
    this.#listen()
  }

  /** Delivers what is due. */
  wake(): void {
    const { clock } = this.#world
    for (const at of this.#wakes) if (at <= clock.moment) this.#wakes.delete(at)
    if (this.#run || !this.#target) return
    const leave = clock.delivering()
    this.#run = this.#deliverAll()
      // Whoever waits for the deliveries must not wait for ever, nor the process end, because of a defect here.
      .catch((error) => this.#world.identity.report(error))
      .finally(leave)
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#run) await this.#run
  }

  /** Ends it: nothing more is delivered. */
  stop(): void {
    this.#epoch += 1
    this.#state.queue = []
    this.#state.next = Number.POSITIVE_INFINITY
    this.#world.clock.cancel(this.id)
    this.#wakes.clear()
  }

  /** The smallest number of an event that is still to be delivered. */
  needed(): number {
    let needed = this.#state.next
    for (const { number, letter } of [...this.#state.queue, ...this.#underWay]) {
      if (!letter && number < needed) needed = number
    }
    return needed
  }

  /** What a snapshot keeps; attempts under way are to be made again. */
  state(): ReceiverState {
    return { ...this.#state, queue: [...this.#underWay, ...this.#state.queue] }
  }

  /** Brings back what a snapshot keeps. */
  restore(state: ReceiverState): void {
    this.stop()
    this.#log = []
    this.#underWay.clear()
    const queue = [...state.queue].sort((one, other) => one.at - other.at)
    this.#state = { ...state, queue, deadLetters: [...state.deadLetters] }
    this.#listen()
  }

  /** Goes on after a restore; the clock has these moments for it already. */
  resume(moments: readonly number[]): void {
    for (const at of moments) this.#wakes.add(at)
    const { queue } = this.#state
    for (const { at } of queue) if (at > this.#world.clock.moment) this.#wakeAt(at)
    this.wake()
  }

  /** Where deliveries go: to another machine only if the test named this very URL. */
  #targetOf(url: string | null): DeliveryTarget | undefined {
    const { url: named, handler, fetch } = this.#given
    if (url === null) return handler
    if (url === named) return fetch ?? globalThis.fetch
    return isHere(url) ? globalThis.fetch : undefined
  }

  #listen(): void {
    this.#target = this.#targetOf(this.#state.url)
    const matchers = this.#state.types.map(typeMatcher)
    this.#matches = (type) => matchers.some((matcher) => matcher(type))
  }

  async #deliverAll(): Promise<void> {
    try {
      // Whoever causes events finishes first.
      await undefined
      for (let due = this.#take(); due.length > 0; due = this.#take()) {
        await Promise.all(
          due.map((attempt) =>
            this.#attempt(attempt).catch((error) => this.#world.identity.report(error)),
          ),
        )
      }
    } finally {
      this.#run = undefined
    }
  }

  /** The attempts that are due, as many as may be under way at once. */
  #take(): Attempt[] {
    const { queue, concurrency } = this.#state
    const now = this.#world.clock.moment
    const isDue = () => queue[0] !== undefined && queue[0].at <= now
    const taken: Attempt[] = []
    while (taken.length < concurrency && (isDue() || this.#lookAhead(now))) {
      // It was there a line ago.
      taken.push(queue.shift() as Attempt)
    }
    return taken
  }

  /** Plans the first attempts of the next events; false when none of them is due. */
  #lookAhead(now: number): boolean {
    const { outbox, random } = this.#world
    const { delay, reorder, duplicates } = this.#state
    const first = this.#state.next
    const found: Attempt[] = []
    for (; this.#state.next <= outbox.count && found.length < reorder; this.#state.next += 1) {
      const number = this.#state.next
      const { event_type, at } = outbox.glance(number) ?? { event_type: '', at: now }
      if (!this.#matches(event_type)) continue
      if (at + spanOf(delay) > now) {
        this.#wakeAt(at + spanOf(delay))
        break
      }
      found.push({ number, attempt: 1, at: now, isDuplicate: false })
      const chance = random.fork(`webhook/${this.id}/duplicate/${number}`)
      if (chance.next() < duplicates) found.push({ number, attempt: 1, at: now, isDuplicate: true })
    }
    const chance = random.fork(`webhook/${this.id}/reorder/${first}`)
    const order = found.map((attempt) => ({ attempt, place: reorder > 1 ? chance.next() : 0 }))
    for (const { attempt } of order.sort((one, other) => one.place - other.place)) {
      this.#plan(attempt)
    }
    return found.length > 0
  }

  /** Adds an attempt to the queue, which is in the order of time. */
  #plan(attempt: Attempt): void {
    const { queue } = this.#state
    let low = 0
    let high = queue.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((queue[middle] as Attempt).at <= attempt.at) low = middle + 1
      else high = middle
    }
    queue.splice(low, 0, attempt)
    if (attempt.at > this.#world.clock.moment) this.#wakeAt(attempt.at)
  }

  #wakeAt(at: number): void {
    if (this.#wakes.has(at)) return
    this.#wakes.add(at)
    this.#world.clock.schedule({ type: 'webhook.due', subject: this.id, at })
  }

  async #attempt(attempt: Attempt): Promise<void> {
    const { outbox, random, clock } = this.#world
    const event = attempt.letter ?? outbox.at(attempt.number)
    if (!event) return
    const epoch = this.#epoch
    this.#underWay.add(attempt)
    const { number, isDuplicate } = attempt
    const { wrongSignatures, oldTimestamps, lostAnswers } = this.#state
    const chance = random.fork(`webhook/${this.id}/${number}/${attempt.attempt}/${isDuplicate}`)
    const spoiling: Spoiling = {
      isWronglySigned: chance.next() < wrongSignatures,
      isOld: chance.next() < oldTimestamps,
    }
    const isLost = chance.next() < lostAnswers
    const at = clock.now()
    const answer = await this.#send(event, spoiling).finally(() => this.#underWay.delete(attempt))
    if (epoch !== this.#epoch) return
    const { status, error } = isLost ? { error: 'timeout' as const } : answer
    const outcome = status !== undefined && status >= 200 && status < 300 ? 'delivered' : 'failed'
    const { id, event_type } = event
    this.#note({ ...attempt, id, event_type, ...spoiling, at, outcome, status, error })
    if (outcome === 'failed' && !isDuplicate) this.#repeat(attempt, event, at)
  }

  /** Plans the next attempt of a message; after the last one it is a dead letter. */
  #repeat(attempt: Attempt, { number, id, event_type, body }: DeadLetter, failed: Date): void {
    const wait = deliverySchedule[attempt.attempt - 1]
    const { deadLetters, queue } = this.#state
    if (wait === undefined || queue.length >= undeliveredLimit) {
      deadLetters.push({ number, id, event_type, body })
      if (deadLetters.length > this.#world.settings.outboxLimit) deadLetters.shift()
      return
    }
    const at = failed.getTime() + spanOf(wait)
    this.#plan({ ...attempt, attempt: attempt.attempt + 1, at })
  }

  #note({ letter: _, ...delivery }: Delivery & { letter?: unknown }): void {
    this.#log.push(delivery)
    if (this.#log.length > this.#world.settings.outboxLimit) this.#log.shift()
  }

  async #send(
    event: DeadLetter,
    spoiling: Spoiling,
  ): Promise<{ status?: number; error?: 'no_answer' | 'timeout' | 'threw' }> {
    const { url, secret } = this.#state
    const signal = url === null ? undefined : AbortSignal.timeout(deliveryTimeout)
    const { messageOf } = await import('./message.ts')
    const request = await messageOf(url ?? inProcess, event, secret, spoiling, signal)
    try {
      const answer = await this.#world.clock.answered(() => this.#target?.(request))
      if (!answer) return { error: 'no_answer' }
      await answer.body?.cancel()
      return { status: answer.status }
    } catch {
      if (signal?.aborted) return { error: 'timeout' }
      return { error: url === null ? 'threw' : 'no_answer' }
    }
  }
}

/** What functions are told as the URL. */
const inProcess = 'https://receiver.test/events'

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

function isHere(url: string): boolean {
  return URL.canParse(url) && loopback.test(new URL(url).hostname)
}

/** @throws {MockError} `invalid_option` when the input is not as it says. */
export function checkWebhook(input: WebhookInput): void {
  const { url, handler, fetch, allowRemote } = Object(input) as WebhookInput
  const problem =
    (url === undefined) === (handler === undefined)
      ? 'Expected a url or a handler.'
      : (problemOfUrl(url, Boolean(allowRemote || fetch)) ?? problemOf(input))
  if (problem) throw new MockError('invalid_option', problem)
}

/**
 * Checks the state of a receiver in a snapshot. Its URL may be on another machine: nothing is delivered there.
 *
 * @throws {MockError} `invalid_option`
 */
export function checkReceiver({ url, ...state }: ReceiverState): void {
  const problem = problemOfUrl(url ?? undefined, true) ?? problemOf(state)
  if (problem) throw new MockError('invalid_option', problem)
}

function problemOfUrl(url: string | undefined, mayBeRemote: boolean): string | undefined {
  if (url === undefined) return undefined
  if (typeof url !== 'string' || !/^https?:/.test(url) || !URL.canParse(url)) {
    return 'Expected url to be an http(s) URL.'
  }
  if (mayBeRemote || isHere(url)) return undefined
  return 'Expected url to be on this machine, or allowRemote to be true.'
}

function problemOf(input: Omit<WebhookInput, 'url'>): string | undefined {
  spanOf(input.delay ?? 0)
  const { id = '', handler, secret, types = [], concurrency = 1, reorder = 1 } = input
  if (typeof id !== 'string') return 'Expected id to be a string.'
  if (handler !== undefined && typeof handler !== 'function') {
    return 'Expected handler to be a function.'
  }
  if (secret !== undefined && !isSecret(secret)) {
    return 'Expected secret to be whsec_ and then base64.'
  }
  if (!Array.isArray(types) || types.some((type) => typeof type !== 'string')) {
    return 'Expected types to be a list of strings.'
  }
  const counts = Object.entries({ concurrency, reorder })
  const [count] = counts.find(([, value]) => !Number.isInteger(value) || value < 1) ?? []
  if (count) return `Expected ${count} to be a whole number of at least 1.`
  const { duplicates, wrongSignatures, oldTimestamps, lostAnswers } = { ...inOrder, ...input }
  const shares = { duplicates, wrongSignatures, oldTimestamps, lostAnswers }
  const [share] = Object.entries(shares).find(([, value]) => !(value >= 0 && value <= 1)) ?? []
  return share && `Expected ${share} to be from 0 to 1.`
}
