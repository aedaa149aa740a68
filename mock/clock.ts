import { MockError } from './errors.ts'
import { type Instant, momentOf, spanOf, type TimeSpan } from './time.ts'

/**
 * How a team's time passes. `auto`: it stands still, and jumps to the next due event while a request waits for one.
 * `manual`: only `advance`, `advanceTo` and `runToNext` move it. `realtime`: it passes as on the wall.
 */
export type ClockMode = 'auto' | 'manual' | 'realtime'

/** Something that will happen, in plain values, so that a snapshot can keep it. */
export interface DueEvent {
  /** Milliseconds since 1970. */
  at: number
  type: string
  /** The id of what it happens to. */
  subject: string
  /** The number of the request that caused it. */
  cause?: number | undefined
}

/** An event that is still to come, as `pending()` tells it. */
export interface PendingEvent {
  at: Date
  type: string
  subject: string
}

/** How long a request waits: until something is over, at the latest until a moment. */
export interface WaitOptions {
  /** Milliseconds since 1970. Default: without end. */
  until?: number
  /** Ends the wait for a request whose caller is gone. */
  signal?: AbortSignal | undefined
}

interface Wait {
  isOver: () => boolean
  until: number
  /** Whether a receiver may wait for this very request before it answers a delivery. */
  isOfReceiver: boolean
  resolve: () => void
  reject: (reason: unknown) => void
}

/**
 * Promise ticks for which all requests must have been waiting before time moves, so that requests sent together
 * also start together, though one needs a few more steps to get here.
 */
const calmTicks = 100

/** The longest time that a platform timer can be set to. */
const longestTimer = 2_147_483_647

/** A team's virtual time: a queue of due events, run in order. Only in `realtime` is there a platform timer, one. */
export class Clock {
  readonly #perform: (event: DueEvent) => void
  #mode: ClockMode
  #now: number
  /** What to add to the wall clock, in `realtime`. */
  #offset = 0
  /** In the order of their time, then of their scheduling. */
  #due: DueEvent[] = []
  readonly #waits = new Set<Wait>()
  /** Requests received and not yet answered, waiting ones included. */
  #inFlight = 0
  /** Stretches of deliveries that have begun and not ended, and receivers among them who were asked and did not answer. */
  #deliveries = 0
  #asked = 0
  #whenQuiet: (() => void)[] = []
  #whenWaiting: { requests: number; resolve: () => void }[] = []
  /** The moves of time, one after the other. */
  #moves: Promise<void> = Promise.resolve()
  #isJumping = false
  #isHappening = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(now: Instant, mode: ClockMode, perform: (event: DueEvent) => void) {
    this.#perform = perform
    this.#mode = mode
    this.#now = momentOf(now)
    this.#set(this.#now)
  }

  /** The team's time. */
  now(): Date {
    return new Date(this.moment)
  }

  /** The team's time in milliseconds since 1970. */
  get moment(): number {
    if (this.#mode !== 'realtime' || this.#isHappening) return this.#now
    return Math.max(this.#now, Date.now() + this.#offset)
  }

  /** How time passes. */
  get mode(): ClockMode {
    return this.#mode
  }

  /** Changes how time passes, from now on. */
  set mode(mode: ClockMode) {
    this.#set(this.moment)
    this.#mode = mode
    this.#stir()
  }

  /** The events still to come, the next one first. */
  pending(): PendingEvent[] {
    return this.#due.map(({ at, type, subject }) => ({ at: new Date(at), type, subject }))
  }

  /**
   * Moves time by a span. Resolves when everything due has happened, in order, and every request that went on because
   * of it is answered or waits anew.
   *
   * @throws {MockError} `invalid_time` when the span is no length of time, or negative.
   */
  async advance(span: TimeSpan): Promise<void> {
    const target = this.moment + spanOf(span)
    await this.#move(() => this.#runTo(target))
  }

  /**
   * Moves time to a moment, as {@link Clock.advance} does.
   *
   * @throws {MockError} `invalid_time` when the moment has passed.
   */
  async advanceTo(instant: Instant): Promise<void> {
    const target = momentOf(instant)
    if (target < this.moment) {
      throw new MockError(
        'invalid_time',
        `Time runs forward only: expected a moment not before ${this.now().toISOString()}.`,
      )
    }
    await this.#move(() => this.#runTo(target))
  }

  /** Moves time to the next event and gives it; undefined when none is to come. */
  async runToNext(): Promise<PendingEvent | undefined> {
    let next: PendingEvent | undefined
    await this.#move(async () => {
      await this.#quiet()
      next = this.pending()[0]
      if (next) await this.#runTo(next.at.getTime())
    })
    return next
  }

  /** Resolves as soon as at least so many requests wait for time to pass. For tests in the mode `manual`. */
  async whenWaiting(requests = 1): Promise<void> {
    if (this.#waits.size >= requests) return
    await new Promise<void>((resolve) => this.#whenWaiting.push({ requests, resolve }))
  }

  /** Adds an event. Of events at the same time the one scheduled first comes first. */
  schedule(event: DueEvent): void {
    let low = 0
    let high = this.#due.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#due[middle] as DueEvent).at <= event.at) low = middle + 1
      else high = middle
    }
    this.#due.splice(low, 0, event)
    this.#stir()
  }

  /** Takes back the events of a subject. */
  cancel(subject: string): void {
    this.#due = this.#due.filter((event) => event.subject !== subject)
  }

  /** Counts a request that was received, until the function it gives is called. */
  received(): () => void {
    this.#inFlight += 1
    return () => {
      this.#inFlight -= 1
      this.#tellQuiet()
    }
  }

  /** Counts deliveries that began, until the function it gives is called; time stands still meanwhile. */
  delivering(): () => void {
    this.#deliveries += 1
    return () => {
      this.#deliveries -= 1
      this.#tellQuiet()
    }
  }

  /** Waits for a receiver's answer; a request that waits for time meanwhile may be the receiver's. */
  async answered<T>(answer: () => T | Promise<T>): Promise<T> {
    this.#asked += 1
    try {
      return await answer()
    } finally {
      this.#asked -= 1
    }
  }

  /** Lets a request wait until something is over. */
  async wait(isOver: () => boolean, { until, signal }: WaitOptions = {}): Promise<void> {
    const end = until ?? Number.POSITIVE_INFINITY
    if (isOver() || end <= this.moment) return
    signal?.throwIfAborted()
    let leave = () => {}
    const over = new Promise<void>((resolve, reject) => {
      const isOfReceiver = this.#asked > 0
      const wait = { isOver, until: end, isOfReceiver, resolve, reject }
      this.#waits.add(wait)
      leave = () => void this.#waits.delete(wait)
      signal?.addEventListener('abort', leave, { once: true })
      this.#tellWaiting()
      this.#tellQuiet()
      this.#stir()
    })
    // A signal may live on for many requests.
    await over.finally(() => signal?.removeEventListener('abort', leave))
  }

  /** Runs what is already due; in `realtime` the timer may be late. */
  catchUp(): void {
    for (let next = this.#due[0]; next && next.at <= this.moment; next = this.#due[0]) this.#step()
  }

  /** The due events, for a snapshot. */
  dueEvents(): DueEvent[] {
    return this.#due.map((event) => ({ ...event }))
  }

  /** Starts anew at a moment, with these events due; requests that wait fail with `reason`. */
  restart(now: Instant, due: DueEvent[], reason: unknown): void {
    this.#due = due.map((event) => ({ ...event }))
    this.#set(momentOf(now))
    this.#failWaits(reason)
    this.#stir()
  }

  #set(moment: number): void {
    this.#now = moment
    this.#offset = moment - Date.now()
  }

  /** Lets time pass as the mode says. */
  #stir(): void {
    if (this.#mode === 'auto' && this.#waits.size > 0) void this.#jump()
    clearTimeout(this.#timer)
    const next = this.#nextMoment()
    if (this.#mode !== 'realtime' || next === undefined) return
    this.#timer = setTimeout(() => this.#ring(), Math.min(next - this.moment, longestTimer))
    // The timer must not keep a process alive; browsers number their timers instead.
    if (typeof this.#timer === 'object') this.#timer.unref?.()
  }

  /** The timer of `realtime` rang. */
  #ring(): void {
    for (let next = this.#nextMoment(); next !== undefined && next <= this.moment; ) {
      this.#step()
      next = this.#nextMoment()
    }
    this.#stir()
  }

  /** Jumps from event to event while a request waits. */
  async #jump(): Promise<void> {
    if (this.#isJumping) return
    this.#isJumping = true
    await this.#move(async () => {
      try {
        await this.#quiet()
        while (this.#mode === 'auto' && this.#waits.size > 0) {
          if (!this.#step()) throw new MockError('defect', 'A request waits for what never comes.')
          await this.#quiet()
        }
      } catch (error) {
        this.#failWaits(error)
      }
      this.#isJumping = false
    })
  }

  async #runTo(target: number): Promise<void> {
    await this.#quiet()
    for (let next = this.#nextMoment(); next !== undefined && next <= target; ) {
      this.#step()
      await this.#quiet()
      next = this.#nextMoment()
    }
    this.#set(Math.max(target, this.moment))
    this.#stir()
  }

  /** One move of time at a time, in the order in which they were asked for. */
  #move(run: () => Promise<void>): Promise<void> {
    const move = this.#moves.then(run)
    this.#moves = move.catch(() => {})
    return move
  }

  /** Moves time to the next event, or to the end of a wait, and lets it happen; false when there is none. */
  #step(): boolean {
    const moment = this.#nextMoment()
    if (moment === undefined) return false
    this.#now = Math.max(this.#now, moment)
    const [event] = this.#due
    if (event && event.at <= moment) {
      this.#due.shift()
      this.#happen(event)
    }
    const isEventDue = (this.#due[0]?.at ?? Number.POSITIVE_INFINITY) <= moment
    for (const wait of this.#waits) {
      // Whatever happens at the very moment a wait ends still counts.
      if (!wait.isOver() && (isEventDue || wait.until > moment)) continue
      this.#waits.delete(wait)
      wait.resolve()
    }
    return true
  }

  #happen(event: DueEvent): void {
    this.#isHappening = true
    try {
      this.#perform(event)
    } finally {
      this.#isHappening = false
    }
  }

  #failWaits(reason: unknown): void {
    for (const wait of this.#waits) wait.reject(reason)
    this.#waits.clear()
  }

  #nextMoment(): number | undefined {
    let next = this.#due[0]?.at ?? Number.POSITIVE_INFINITY
    for (const { until } of this.#waits) next = Math.min(next, until)
    return next === Number.POSITIVE_INFINITY ? undefined : next
  }

  /** Resolves when every request received is waiting, and for a while no other has come. */
  async #quiet(): Promise<void> {
    for (let calm = 0; calm < calmTicks; calm += 1) {
      await undefined
      if (this.#isQuiet()) continue
      await new Promise<void>((resolve) => this.#whenQuiet.push(resolve))
      calm = 0
    }
  }

  #isQuiet(): boolean {
    if (this.#inFlight !== this.#waits.size) return false
    // A receiver that makes a request which waits for time would wait for ever, if time waited for the receiver.
    return this.#deliveries === 0 || [...this.#waits].some(({ isOfReceiver }) => isOfReceiver)
  }

  #tellQuiet(): void {
    if (!this.#isQuiet()) return
    for (const resolve of this.#whenQuiet.splice(0)) resolve()
  }

  #tellWaiting(): void {
    const told = this.#whenWaiting.filter(({ requests }) => this.#waits.size >= requests)
    this.#whenWaiting = this.#whenWaiting.filter((waiting) => !told.includes(waiting))
    for (const { resolve } of told) resolve()
  }
}
