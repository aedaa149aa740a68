import { MockError } from '../../errors.ts'
import { Activity } from './activity.ts'
import { type ClockMode, clockModes } from './clock-modes.ts'
import { type DueEvent, failureOf } from './due-event.ts'
import { DueQueue, type PendingEvent } from './due-queue.ts'
import { checkMoment, type Instant, latestMoment, momentOf, spanOf, type TimeSpan } from './time.ts'

/** How long a request waits: until something is over, at the latest until a moment. */
export interface WaitOptions {
  /** Milliseconds since 1970. Default: no end. */
  until?: number
  /** Ends the wait when the caller aborts the request. */
  signal?: AbortSignal | undefined
  /** The subject of the due events that the request waits for. Default: the wait fails with any event that fails. */
  subject?: string
}

/** Handles errors of due events; `isAwaited` if a request or a move of the clock fails with the error. */
export type FailureListener = (failure: MockError, event: DueEvent, isAwaited: boolean) => void

/** The longest delay of a platform timer, in milliseconds. */
const longestTimer = 2_147_483_647

/** A team's virtual time: a queue of due events, run in order. Only the mode `realtime` uses a platform timer. */
export class Clock {
  readonly #runEvent: (event: DueEvent) => void
  readonly #onFailure: FailureListener
  readonly #queue = new DueQueue()
  readonly #activity = new Activity()
  #mode: ClockMode
  #now: number
  /** The difference to real time, in `realtime`. */
  #offset = 0
  /** The latest move of time; moves run one after the other. */
  #lastMove: Promise<void> = Promise.resolve()
  #isMoving = false
  #isJumping = false
  #isRunningEvent = false
  /** Errors of due events since the start of the test's move; undefined outside one. */
  #failures: MockError[] | undefined
  /** Counts the restarts: a move that began before the latest one stops. */
  #epoch = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    now: Instant,
    mode: ClockMode,
    runEvent: (event: DueEvent) => void,
    onFailure: FailureListener = () => {},
  ) {
    this.#runEvent = runEvent
    this.#onFailure = onFailure
    this.#mode = mode
    this.#now = momentOf(now)
    this.#set(this.#now)
  }

  /** Returns the virtual time. */
  now(): Date {
    return new Date(this.moment)
  }

  /** The virtual time in milliseconds since 1970. */
  get moment(): number {
    if (this.#mode !== 'realtime' || this.#isRunningEvent) return this.#now
    return Math.min(Math.max(this.#now, Date.now() + this.#offset), latestMoment)
  }

  /**
   * Returns the moment after a span, in milliseconds since 1970.
   *
   * @throws {MockError} `invalid_time` if it is after the end of the calendar.
   */
  after(span: number): number {
    return checkMoment(this.moment + span)
  }

  /** How virtual time passes. */
  get mode(): ClockMode {
    return this.#mode
  }

  /**
   * Changes how virtual time passes from now on.
   *
   * @throws {MockError} `invalid_option` for an unknown mode.
   */
  set mode(mode: ClockMode) {
    checkMode(mode)
    this.#set(this.moment)
    this.#mode = mode
    this.#update()
  }

  /** Returns the events that are still due, the next one first. */
  pending(): PendingEvent[] {
    return this.#queue.list().map((event) => ({ ...event, at: new Date(event.at) }))
  }

  /**
   * Moves time by a span. Resolves when all events due until then have run, in order, and every request that continued
   * because of them has a response or waits again. A reset or restore of the team ends the move.
   *
   * @throws {MockError} `invalid_time` if the span is invalid, negative, or ends after the calendar; `failed_event` if a
   * due event failed, after the others have run; `invalid_state` inside a webhook handler.
   */
  async advance(span: TimeSpan): Promise<void> {
    const target = this.after(spanOf(span))
    await this.#moveForTest('clock.advance', (isCurrent) => this.#runTo(target, isCurrent))
  }

  /**
   * Moves time to a moment, like {@link Clock.advance}.
   *
   * @throws {MockError} `invalid_time` if the moment has passed; otherwise as {@link Clock.advance}.
   */
  async advanceTo(instant: Instant): Promise<void> {
    const target = momentOf(instant)
    if (target < this.moment) {
      throw new MockError(
        'invalid_time',
        `Cannot move time back to ${new Date(target).toISOString()}. Use a moment from ${this.now().toISOString()} on.`,
      )
    }
    await this.#moveForTest('clock.advanceTo', (isCurrent) => this.#runTo(target, isCurrent))
  }

  /**
   * Moves time to the next due event. Returns the event; undefined if there is none.
   *
   * @throws {MockError} `failed_event` and `invalid_state` as {@link Clock.advance}.
   */
  async runToNext(): Promise<PendingEvent | undefined> {
    let next: PendingEvent | undefined
    await this.#moveForTest('clock.runToNext', async (isCurrent) => {
      await this.#activity.idle()
      if (!isCurrent()) return
      next = this.pending()[0]
      if (next) await this.#runTo(next.at.getTime(), isCurrent)
    })
    return next
  }

  /**
   * Resolves when at least this many requests wait for time to pass. For tests in the mode `manual`.
   *
   * @throws {MockError} `invalid_option` if the count is not a whole number from 0; `invalid_state` inside a webhook
   * handler.
   */
  async whenWaiting(requests = 1): Promise<void> {
    this.checkOutsideHandlers('clock.whenWaiting')
    if (!Number.isInteger(requests) || requests < 0) {
      throw new MockError(
        'invalid_option',
        `Expected requests to be a whole number from 0, but got ${requests}.`,
      )
    }
    await this.#activity.whenWaiting(requests)
  }

  /** Schedules an event. Events at the same time run in the order of their scheduling. */
  schedule(event: DueEvent): void {
    this.#queue.add(event)
    this.#update()
  }

  /** Cancels the events of a subject. */
  cancel(subject: string): void {
    this.#queue.cancel(subject)
  }

  /** Counts a request as in progress until the returned function is called. */
  trackRequest(): () => void {
    return this.#activity.trackRequest()
  }

  /** Whether a request has no response yet. */
  get isBusy(): boolean {
    return this.#activity.isBusy
  }

  /** Stops time for a delivery until the returned function is called. */
  trackDelivery(): () => void {
    return this.#activity.trackDelivery()
  }

  /** Runs a webhook handler; a request that starts to wait meanwhile may be the handler's. */
  async runHandler<T>(handler: () => T | Promise<T>): Promise<T> {
    return this.#activity.runHandler(this.#isMoving, handler)
  }

  /**
   * Checks that a method, which waits for webhook handlers, is not called in one.
   *
   * @throws {MockError} `invalid_state` inside a webhook handler.
   */
  checkOutsideHandlers(method: string): void {
    this.#activity.checkOutsideHandlers(method)
  }

  /** Ends the waits that are over although no event was due, such as after the deletion of an order. */
  settle(): void {
    this.#activity.release(({ isOver }) => isOver())
  }

  /** Lets a request wait until something is over. */
  async wait(isOver: () => boolean, { until, signal, subject }: WaitOptions = {}): Promise<void> {
    const end = until === undefined ? Number.POSITIVE_INFINITY : checkMoment(until)
    if (isOver() || end <= this.moment) return
    signal?.throwIfAborted()
    let leave = () => {}
    const over = new Promise<void>((resolve, reject) => {
      leave = this.#activity.add({ isOver, until: end, subject, resolve, reject })
      signal?.addEventListener('abort', leave, { once: true })
      this.#update()
    })
    // Callers often reuse one signal for many requests.
    await over.finally(() => signal?.removeEventListener('abort', leave))
  }

  /** Runs the events that are already due; in `realtime` the timer may be late. */
  catchUp(): void {
    while (this.#queue.nextMoment <= this.moment) this.#step()
  }

  /** Returns the due events for a snapshot. */
  dueEvents(): DueEvent[] {
    return this.#queue.list()
  }

  /** Restarts at a moment with these due events; requests that wait fail with `reason`, and moves stop. */
  restart(now: Instant, due: readonly DueEvent[], reason: unknown, mode = this.#mode): void {
    this.#epoch += 1
    this.#mode = mode
    this.#queue.replace(due)
    this.#set(momentOf(now))
    this.#activity.fail(reason)
    this.#update()
  }

  #set(moment: number): void {
    this.#now = moment
    this.#offset = moment - Date.now()
  }

  /** Starts a jump or the timer, as the mode requires. */
  #update(): void {
    if (this.#mode === 'auto' && this.#activity.isWaiting) void this.#jump()
    clearTimeout(this.#timer)
    const next = this.#nextMoment()
    if (this.#mode !== 'realtime' || next === Number.POSITIVE_INFINITY) return
    this.#timer = setTimeout(() => this.#runDue(), Math.min(next - this.moment, longestTimer))
    // The timer must not keep a process alive; in browsers it is a number.
    if (typeof this.#timer === 'object') this.#timer.unref?.()
  }

  #runDue(): void {
    while (this.#nextMoment() <= this.moment) this.#step()
    this.#update()
  }

  /** Jumps from event to event while a request waits. */
  async #jump(): Promise<void> {
    if (this.#isJumping) return
    this.#isJumping = true
    await this.#move(async () => {
      try {
        await this.#activity.idle()
        while (this.#mode === 'auto' && this.#activity.isWaiting) {
          if (!this.#step()) {
            throw new MockError(
              'defect',
              'A request waits, but no event is due that ends its wait.',
            )
          }
          await this.#activity.idle()
        }
      } catch (error) {
        this.#activity.fail(error)
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
    await this.#activity.idle()
    while (this.#nextMoment() <= target && isCurrent()) {
      this.#step()
      await this.#activity.idle()
    }
    if (!isCurrent()) return
    this.#set(Math.max(target, this.moment))
    this.#update()
  }

  /** Runs a move of time after the earlier ones. */
  #move(run: () => Promise<void>): Promise<void> {
    const move = this.#lastMove.then(async () => {
      this.#isMoving = true
      await run().finally(() => {
        this.#isMoving = false
      })
    })
    this.#lastMove = move.catch(() => {})
    return move
  }

  /** Moves time to the next event, or to the end of a wait, and runs it; false if there is none. */
  #step(): boolean {
    const moment = this.#nextMoment()
    if (moment === Number.POSITIVE_INFINITY) return false
    this.#now = Math.max(this.#now, moment)
    const event = this.#queue.takeDue(moment)
    if (event) this.#run(event)
    const isEventDue = this.#queue.nextMoment <= moment
    // A wait ends after all events of its last moment.
    this.#activity.release(({ isOver, until }) => isOver() || (!isEventDue && until <= moment))
    return true
  }

  #run(event: DueEvent): void {
    this.#isRunningEvent = true
    try {
      this.#runEvent(event)
    } catch (error) {
      this.#fail(event, failureOf(event, error))
    } finally {
      this.#isRunningEvent = false
    }
  }

  /** Fails the waits for an event that failed; everything else continues. */
  #fail(event: DueEvent, failure: MockError): void {
    const isWaitFailed = this.#activity.fail(
      failure,
      ({ subject }) => (subject ?? event.subject) === event.subject,
    )
    // A move of the test fails with the first error only.
    const isAwaited = isWaitFailed || this.#failures?.length === 0
    this.#failures?.push(failure)
    this.#onFailure(failure, event, isAwaited)
  }

  #nextMoment(): number {
    return Math.min(this.#queue.nextMoment, this.#activity.nextEnd)
  }
}

/** @throws {MockError} `invalid_option` for an unknown mode. */
function checkMode(mode: ClockMode): void {
  if (clockModes.includes(mode)) return
  throw new MockError(
    'invalid_option',
    `Expected the clock mode to be one of ${clockModes.join(', ')}, but got '${String(mode)}'.`,
  )
}
