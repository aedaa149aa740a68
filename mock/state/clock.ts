import { MockError } from '../errors.ts'
import { type ClockMode, clockModes } from './clock-modes.ts'
import { type DueEvent, type DueEventType, failureOf } from './due-event.ts'
import { Handlers } from './handlers.ts'
import { checkMoment, type Instant, latestMoment, momentOf, spanOf, type TimeSpan } from './time.ts'

/** An event that is still to come, as `pending()` tells it. */
export interface PendingEvent {
  at: Date
  type: DueEventType
  subject: string
}

/** How long a request waits: until something is over, at the latest until a moment. */
export interface WaitOptions {
  /** Milliseconds since 1970. Default: without end. */
  until?: number
  /** Ends the wait for a request whose caller is gone. */
  signal?: AbortSignal | undefined
  /** The subject of the events that it waits for. Default: the wait fails with any event that fails. */
  subject?: string
}

/** Takes errors of due events; `isAwaited` when a request or a move of the clock fails with the error. */
export type FailureListener = (failure: MockError, event: DueEvent, isAwaited: boolean) => void

interface Wait {
  isOver: () => boolean
  until: number
  subject: string | undefined
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
  readonly #failed: FailureListener
  #mode: ClockMode
  #now: number
  /** What to add to the wall clock, in `realtime`. */
  #offset = 0
  /** In the order of their time, then of their scheduling. */
  #due: DueEvent[] = []
  readonly #waits = new Set<Wait>()
  /** Requests received and not yet answered, waiting ones included. */
  #inFlight = 0
  /** Stretches of deliveries that have begun and not ended. */
  #deliveries = 0
  /** The handlers that these deliveries wait for. */
  readonly #handlers = new Handlers()
  #whenQuiet: (() => void)[] = []
  #whenWaiting: { requests: number; resolve: () => void }[] = []
  /** The moves of time, one after the other. */
  #moves: Promise<void> = Promise.resolve()
  #isMoving = false
  #isJumping = false
  #isHappening = false
  /** Errors of due events since the test's move began; undefined when none runs. */
  #failures: MockError[] | undefined
  /** Counts the restarts: a move that began before the latest one stops. */
  #epoch = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    now: Instant,
    mode: ClockMode,
    perform: (event: DueEvent) => void,
    failed: FailureListener = () => {},
  ) {
    this.#perform = perform
    this.#failed = failed
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
    return Math.min(Math.max(this.#now, Date.now() + this.#offset), latestMoment)
  }

  /**
   * Returns the moment after a span, in milliseconds since 1970.
   *
   * @throws {MockError} `invalid_time` when it is after the end of the calendar.
   * @internal
   */
  after(span: number): number {
    return checkMoment(this.moment + span)
  }

  /** How time passes. */
  get mode(): ClockMode {
    return this.#mode
  }

  /** Changes how time passes, from now on. */
  set mode(mode: ClockMode) {
    checkMode(mode)
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
   * of it is answered or waits anew. A reset or restore of the team meanwhile ends the move: time stays where they put it.
   *
   * @throws {MockError} `invalid_time` when the span is no length of time, negative, or leads past the end of the
   * calendar; `failed_event` when a due event failed, after the others have happened; `invalid_state` inside a webhook
   * handler.
   */
  async advance(span: TimeSpan): Promise<void> {
    const target = this.after(spanOf(span))
    await this.#moveForTest('clock.advance', (isCurrent) => this.#runTo(target, isCurrent))
  }

  /**
   * Moves time to a moment, as {@link Clock.advance} does.
   *
   * @throws {MockError} `invalid_time` when the moment has passed; otherwise as {@link Clock.advance}.
   */
  async advanceTo(instant: Instant): Promise<void> {
    const target = momentOf(instant)
    if (target < this.moment) {
      throw new MockError(
        'invalid_time',
        `Time runs forward only: expected a moment not before ${this.now().toISOString()}.`,
      )
    }
    await this.#moveForTest('clock.advanceTo', (isCurrent) => this.#runTo(target, isCurrent))
  }

  /**
   * Moves time to the next event and gives it; undefined when none is to come.
   *
   * @throws {MockError} `failed_event` and `invalid_state` as {@link Clock.advance}.
   */
  async runToNext(): Promise<PendingEvent | undefined> {
    let next: PendingEvent | undefined
    await this.#moveForTest('clock.runToNext', async (isCurrent) => {
      await this.#quiet()
      if (!isCurrent()) return
      next = this.pending()[0]
      if (next) await this.#runTo(next.at.getTime(), isCurrent)
    })
    return next
  }

  /**
   * Resolves as soon as at least so many requests wait for time to pass. For tests in the mode `manual`.
   *
   * @throws {MockError} `invalid_option` when the count is not a whole number from 0.
   */
  async whenWaiting(requests = 1): Promise<void> {
    if (!Number.isInteger(requests) || requests < 0) {
      throw new MockError(
        'invalid_option',
        `Expected a whole number of requests from 0, but got ${requests}.`,
      )
    }
    if (this.#waits.size >= requests) return
    await new Promise<void>((resolve) => this.#whenWaiting.push({ requests, resolve }))
  }

  /** Adds an event. Of events at the same time the one scheduled first comes first. */
  schedule(event: DueEvent): void {
    checkMoment(event.at)
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
  trackRequest(): () => void {
    this.#inFlight += 1
    return () => {
      this.#inFlight -= 1
      this.#tellQuiet()
    }
  }

  /** Whether a request has no response yet. */
  get isBusy(): boolean {
    return this.#inFlight > 0
  }

  /** Counts deliveries that began, until the function it gives is called; time stands still meanwhile. */
  trackDelivery(): () => void {
    this.#deliveries += 1
    return () => {
      this.#deliveries -= 1
      this.#tellQuiet()
    }
  }

  /** Runs a webhook handler; a request that waits for time meanwhile may be the handler's. */
  async runHandler<T>(handler: () => T | Promise<T>): Promise<T> {
    return this.#handlers.run(this.#isMoving, handler)
  }

  /**
   * Refuses a call that waits for the very handler that makes it.
   *
   * @throws {MockError} `invalid_state` inside a webhook handler.
   */
  checkOutsideHandlers(method: string): void {
    if (!this.#handlers.isInside()) return
    throw new MockError(
      'invalid_state',
      `${method}() cannot run inside a webhook handler: it waits for the response of the handler, so neither would ever end. Return the response first, and call ${method}() in the test.`,
    )
  }

  /** Lets the requests go on whose wait is over though no event was due, such as after the deletion of an order. */
  settle(): void {
    for (const wait of this.#waits) {
      if (!wait.isOver()) continue
      this.#waits.delete(wait)
      wait.resolve()
    }
  }

  /** Lets a request wait until something is over. */
  async wait(isOver: () => boolean, { until, signal, subject }: WaitOptions = {}): Promise<void> {
    const end = until === undefined ? Number.POSITIVE_INFINITY : checkMoment(until)
    if (isOver() || end <= this.moment) return
    signal?.throwIfAborted()
    let leave = () => {}
    const over = new Promise<void>((resolve, reject) => {
      const isOfReceiver = this.#handlers.size > 0
      const wait = { isOver, until: end, subject, isOfReceiver, resolve, reject }
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

  /** The due events, for a snapshot. Their causes are numbers of a journal, which no snapshot has. */
  dueEvents(): DueEvent[] {
    return this.#due.map(({ at, type, subject }) => ({ at, type, subject }))
  }

  /** Starts anew at a moment, with these events due; requests that wait fail with `reason`, and moves stop. */
  restart(now: Instant, due: readonly DueEvent[], reason: unknown, mode = this.#mode): void {
    this.#epoch += 1
    this.#mode = mode
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

  /** Moves time for a test: fails with the first due event that fails, and stops at a restart. */
  async #moveForTest(
    method: string,
    run: (isCurrent: () => boolean) => Promise<void>,
  ): Promise<void> {
    this.checkOutsideHandlers(method)
    const epoch = this.#epoch
    const isCurrent = () => epoch === this.#epoch
    await this.#move(async () => {
      if (!isCurrent()) return
      const failures: MockError[] = []
      this.#failures = failures
      await run(isCurrent).finally(() => {
        this.#failures = undefined
      })
      if (failures[0]) throw failures[0]
    })
  }

  async #runTo(target: number, isCurrent: () => boolean): Promise<void> {
    await this.#quiet()
    for (let next = this.#nextMoment(); next !== undefined && next <= target && isCurrent(); ) {
      this.#step()
      await this.#quiet()
      next = this.#nextMoment()
    }
    if (!isCurrent()) return
    this.#set(Math.max(target, this.moment))
    this.#stir()
  }

  /** One move of time at a time, in the order in which they were asked for. */
  #move(run: () => Promise<void>): Promise<void> {
    const move = this.#moves.then(async () => {
      this.#isMoving = true
      await run().finally(() => {
        this.#isMoving = false
      })
    })
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
    } catch (error) {
      this.#fail(event, failureOf(event, error))
    } finally {
      this.#isHappening = false
    }
  }

  /** An event failed: what waits for it fails, everything else goes on. */
  #fail(event: DueEvent, failure: MockError): void {
    const failed = [...this.#waits].filter(
      ({ subject }) => (subject ?? event.subject) === event.subject,
    )
    for (const wait of failed) {
      this.#waits.delete(wait)
      wait.reject(failure)
    }
    // A move of the test fails with the first error only.
    const isAwaited = failed.length > 0 || this.#failures?.length === 0
    this.#failures?.push(failure)
    this.#failed(failure, event, isAwaited)
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

/** @throws {MockError} `invalid_option` for a mode that there is not. */
export function checkMode(mode: ClockMode): void {
  if (clockModes.includes(mode)) return
  throw new MockError(
    'invalid_option',
    `Expected a clock mode: ${clockModes.join(', ')}, but got '${String(mode)}'.`,
  )
}
