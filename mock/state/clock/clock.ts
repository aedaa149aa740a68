import type { Slices } from '../../shared/slices.ts'
import { invalidOption } from '../plain.ts'
import type { WaitOptions } from './activity.ts'
import { AutoAdvance, MoveQueue } from './auto-advance.ts'
import { type ClockMode, clockModes } from './clock-modes.ts'
import {
  type DueEvent,
  type DueEventType,
  type FailureListener,
  type PendingEvent,
  toPending,
} from './due-queue.ts'
import {
  checkMoment,
  type Instant,
  momentFrom,
  spanOf,
  type TimeSpan,
  virtualMoment,
} from './time.ts'
import { Timeline } from './timeline.ts'
import { runDue, runTo } from './transit.ts'

/** The optional callbacks that a team passes to its clock. */
interface ClockListeners {
  /** Runs an event's long task in slices. Returns undefined if the event has no long task. */
  prepare?: (event: DueEvent, slices: Slices) => Promise<void> | undefined
  onFailure?: FailureListener
  onWait?: () => void
  /** Returns the events that will be scheduled later, in order: the ends of queued imports. */
  queued?: () => readonly DueEvent[]
}

/** A team's virtual clock, which runs scheduled events in order. */
export class TeamClock {
  readonly #timeline: Timeline
  readonly #moves = new MoveQueue()
  readonly #autoAdvance: AutoAdvance
  readonly #onWait: () => void
  readonly #queued: () => readonly DueEvent[]

  constructor(
    now: Instant,
    mode: ClockMode,
    run: (event: DueEvent) => void,
    listeners: ClockListeners = {},
  ) {
    const { onFailure = () => {}, onWait = () => {}, queued = () => [] } = listeners
    this.#onWait = onWait
    this.#queued = queued
    this.#timeline = new Timeline(virtualMoment(now), mode, {
      run,
      prepare: (event, slices) => listeners.prepare?.(event, slices),
      onFailure: (failure, event, isWaitFailed) => {
        const isMoveFailed = this.#moves.addFailure(failure)
        onFailure(failure, event, isWaitFailed || isMoveFailed)
      },
    })
    this.#autoAdvance = new AutoAdvance(this.#timeline, this.#moves)
  }

  /** Returns the virtual time. */
  now(): Date {
    return new Date(this.moment)
  }

  /** The virtual time as a Unix timestamp in milliseconds. */
  get moment(): number {
    return this.#timeline.moment
  }

  /**
   * Returns the time after the given span, as a Unix timestamp in milliseconds.
   *
   * @throws {MockError} `invalid_time` if the new time is after the start of the year 9999, the latest virtual time.
   */
  after(span: number): number {
    return checkMoment(this.moment + span)
  }

  /** How virtual time passes. */
  get mode(): ClockMode {
    return this.#timeline.mode
  }

  /**
   * Sets the clock mode.
   *
   * @throws {MockError} `invalid_option` for an unknown mode.
   */
  set mode(mode: ClockMode) {
    if (!clockModes.includes(mode))
      throw invalidOption('the clock mode', `one of ${clockModes.join(', ')}`, mode)
    this.#timeline.moment = this.moment
    this.#timeline.mode = mode
    this.#autoAdvance.update()
  }

  /** Returns the scheduled events, earliest first. */
  pending(): PendingEvent[] {
    return this.dueEvents().map(toPending)
  }

  /**
   * Advances time by a span. Resolves when all events scheduled until then have run, in order, and every request that
   * they resumed has a response or is waiting again. Concurrent calls run one after the other, so their spans add up.
   * Resetting or restoring the team ends the call.
   *
   * @throws {MockError} `invalid_time` if the span is invalid or negative, or ends after the start of the year 9999;
   *   `failed_event` if a scheduled event failed (the others still run); `invalid_state` inside one of the team's
   *   webhook handlers, or inside another team's handler that one of them awaits.
   */
  async advance(span: TimeSpan): Promise<void> {
    const length = spanOf(span)
    // The span starts when the earlier moves have ended.
    await this.#move('clock.advance', (isCurrent) =>
      runTo(this.#timeline, this.after(length), isCurrent),
    )
  }

  /**
   * Advances to a point in time, like {@link TeamClock.advance}.
   *
   * @throws {MockError} `invalid_time` if that time is invalid or has passed; `failed_event` and `invalid_state`, as
   * for {@link TeamClock.advance}.
   */
  async advanceTo(instant: Instant): Promise<void> {
    const target = momentFrom(this.moment, instant)
    await this.#move('clock.advanceTo', (isCurrent) => runTo(this.#timeline, target, isCurrent))
  }

  /**
   * Advances to the next scheduled event. Returns that event, or undefined if there is none.
   *
   * @throws {MockError} `failed_event` and `invalid_state`, as for {@link TeamClock.advance}.
   */
  async runToNext(): Promise<PendingEvent | undefined> {
    let next: PendingEvent | undefined
    await this.#move('clock.runToNext', async (isCurrent) => {
      await this.#timeline.activity.idle()
      if (!isCurrent()) return
      const event = this.#timeline.queue.peek()
      next = event && toPending(event)
      if (event) await runTo(this.#timeline, event.at, isCurrent)
    })
    return next
  }

  /**
   * Resolves when at least this many requests and retries are waiting for time to pass. Useful in `manual` mode.
   *
   * @throws {MockError} `invalid_option` if the count is negative or not an integer, or `invalid_state` inside a
   * webhook handler.
   */
  async whenWaiting(requests = 1): Promise<void> {
    const { activity } = this.#timeline
    await this.runOutsideHandlers('clock.whenWaiting', () => activity.whenWaiting(requests))
  }

  /** Schedules an event. Simultaneous events run in scheduling order. */
  schedule(event: DueEvent): void {
    this.#timeline.queue.add(event)
    this.#autoAdvance.update()
  }

  /** Sets the function that chooses, by index, which of several simultaneous events runs next. */
  chooseDue(choose: (tied: readonly DueEvent[]) => number): void {
    this.#timeline.queue.choose = choose
  }

  /** Cancels the events with this type and subject. */
  cancel(type: DueEventType, subject: string): void {
    this.#timeline.queue.cancel(type, subject)
  }

  /** Counts a request as in progress until the returned function is called. */
  trackRequest(): () => void {
    return this.#timeline.activity.trackRequest()
  }

  /** Whether a request is in progress. */
  get isBusy(): boolean {
    return this.#timeline.activity.isBusy
  }

  /** The number of requests and client waits that have started. */
  get arrivals(): number {
    return this.#timeline.activity.arrivals
  }

  /** Pauses the clock during a delivery. The returned function resumes it. */
  trackDelivery(): () => void {
    return this.#timeline.activity.trackDelivery()
  }

  /**
   * Runs a webhook handler. A request that starts to wait in the meantime may be the handler's own. Calls `onWait` when
   * the handler itself first waits for the team's time to pass.
   */
  async runHandler<T>(handler: () => T | Promise<T>, onWait?: () => void): Promise<T> {
    return this.#timeline.activity.runHandler(this.#moves.isTestMoving, handler, onWait)
  }

  /**
   * Runs a method that waits until the webhook handlers have responded.
   *
   * @throws {MockError} `invalid_state` inside one of these handlers, or inside another team's handler that they await.
   */
  async runOutsideHandlers<T>(method: string, run: () => Promise<T>): Promise<T> {
    return this.#timeline.activity.runOutsideHandlers(method, run)
  }

  /** @internal */
  checkOutsideOwnHandlers(method: string): void {
    this.#timeline.activity.checkOutsideOwnHandlers(method)
  }

  /** Resumes requests that no longer need to wait for a subject, for example after an order is deleted. */
  settle(subject: string): void {
    this.#timeline.activity.waits.release(subject)
  }

  /** Starts a client timer, without advancing virtual time. Returns a function that stops the timer. */
  startTimer(span: number, onEnd: () => void): () => void {
    const stop = this.#timeline.activity.startTimer(this.moment + span, onEnd)
    this.#autoAdvance.update()
    return stop
  }

  /**
   * Makes a request wait until `isOver` returns true or virtual time reaches `until`. Rejects with the signal's reason
   * when the signal aborts.
   */
  async wait(isOver: () => boolean, { until, ...options }: WaitOptions = {}): Promise<void> {
    options.signal?.throwIfAborted()
    const end = until === undefined ? Number.POSITIVE_INFINITY : checkMoment(until)
    if (isOver() || end <= this.moment) return
    this.#onWait()
    const { activity } = this.#timeline
    await activity.wait(isOver, { ...options, until: end }, () => this.#autoAdvance.update())
  }

  /** Runs the events that are already due, because the timer may fire late in `realtime` mode. */
  catchUp(): void {
    while (this.#timeline.queue.nextMoment <= this.moment) this.#timeline.step()
  }

  /** In `realtime` mode, runs the events that are already due, in slices. */
  async catchUpInSlices(): Promise<void> {
    if (this.mode === 'realtime') await runDue(this.#timeline)
  }

  /** Aborts when the team is reset or restored. */
  get interruption(): AbortSignal {
    return this.#timeline.activity.interruption
  }

  /** Returns the scheduled events, earliest first. */
  dueEvents(): DueEvent[] {
    const events = [...this.#timeline.queue.list(), ...this.#queued()]
    return events.sort((one, other) => one.at - other.at)
  }

  /** The number of scheduled events. */
  get pendingCount(): number {
    return this.#timeline.queue.size + this.#queued().length
  }

  /**
   * Restarts at the given moment with these scheduled events. Waiting requests fail with `reason`, and any clock
   * advance in progress stops.
   *
   * @param due The events scheduled after that moment, in any order.
   * @param reason The error that waiting requests fail with.
   * @param mode The clock mode afterwards. Default: the current mode.
   */
  restart(now: Instant, due: readonly DueEvent[], reason: unknown, mode = this.mode): void {
    const { activity, queue } = this.#timeline
    this.#moves.stop()
    this.#timeline.mode = mode
    queue.replace(due)
    this.#timeline.moment = virtualMoment(now)
    activity.interrupt(reason)
    this.#autoAdvance.update()
  }

  /** Runs a clock move. Rejects if a scheduled event fails. A restart ends the move early. */
  async #move(method: string, run: (isCurrent: () => boolean) => Promise<void>): Promise<void> {
    const move = async (isCurrent: () => boolean) => {
      await run(isCurrent)
      this.#autoAdvance.update()
    }
    await this.runOutsideHandlers(method, () => this.#moves.runForTest(move))
  }
}
