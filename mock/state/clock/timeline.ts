import type { MockError } from '../../errors.ts'
import { Slices } from '../../shared/slices.ts'
import { Activity } from './activity.ts'
import type { ClockMode } from './clock-modes.ts'
import { type DueEvent, DueQueue, failureOf } from './due-queue.ts'
import { latestMoment } from './time.ts'

interface TimelineListener {
  run(event: DueEvent): void
  prepare(event: DueEvent, slices: Slices): Promise<void> | undefined
  /** Handles a scheduled event's error. `isWaitFailed` is true if a waiting request failed with the error. */
  onFailure(failure: MockError, event: DueEvent, isWaitFailed: boolean): void
}

/** The virtual time, the scheduled events, and the team's activity. */
export class Timeline {
  readonly queue = new DueQueue()
  readonly activity = new Activity()
  /** Pauses long moves so other tasks can run. */
  readonly slices = new Slices()
  mode: ClockMode
  readonly #listener: TimelineListener
  #now = 0
  /** Virtual time minus real time in `realtime` mode, in milliseconds. */
  #offset = 0
  /** The last reading of the system clock, which may go backwards. */
  #latestRead = 0
  #isRunningEvent = false

  constructor(moment: number, mode: ClockMode, listener: TimelineListener) {
    this.mode = mode
    this.#listener = listener
    this.moment = moment
  }

  get moment(): number {
    if (this.mode !== 'realtime' || this.#isRunningEvent) return this.#now
    return Math.min(Math.max(this.#now, this.#readSystem() + this.#offset), latestMoment)
  }

  set moment(moment: number) {
    this.#now = moment
    this.#offset = moment - this.#readSystem()
  }

  /** The time at which the next event runs or the next wait or timer ends, or infinity if there is none. */
  get nextMoment(): number {
    return Math.min(this.queue.nextMoment, this.activity.nextEnd)
  }

  /**
   * Moves time to the next event, and runs its long task in slices. Returns undefined, without moving time, if a wait
   * or timer ends first or the event has no long task.
   */
  prepareStep(): Promise<void> | undefined {
    const event = this.queue.peek()
    if (!event || event.at > this.nextMoment) return undefined
    const before = this.#now
    this.#now = Math.max(this.#now, event.at)
    const preparation = this.#listener.prepare(event, this.slices)
    if (!preparation) this.#now = before
    return preparation
  }

  /**
   * Moves time to {@link Timeline.nextMoment} and runs one due event, if any. If no further event is due, also ends the
   * due waits and timers. Returns false if there is nothing to do.
   */
  step(): boolean {
    const moment = this.nextMoment
    if (moment === Number.POSITIVE_INFINITY) return false
    this.#now = Math.max(this.#now, moment)
    const event = this.queue.takeDue(moment)
    if (event) this.#run(event)
    const isEventDue = this.queue.nextMoment <= moment
    if (event) this.activity.waits.release(event.subject)
    // A wait ends after all events that are due at the same time.
    if (isEventDue) return true
    this.activity.waits.releaseUntil(moment)
    this.activity.endTimers(moment)
    return true
  }

  /** Reads the system clock. If it goes backwards, virtual time continues without a jump. */
  #readSystem(): number {
    const read = Date.now()
    if (read < this.#latestRead) this.#offset += this.#latestRead - read
    this.#latestRead = read
    return read
  }

  #run(event: DueEvent): void {
    this.#isRunningEvent = true
    try {
      this.#listener.run(event)
    } catch (error) {
      this.#fail(event, failureOf(event, error))
    } finally {
      this.#isRunningEvent = false
    }
  }

  #fail(event: DueEvent, failure: MockError): void {
    const isWaitFailed = this.activity.waits.fail(failure, event.subject)
    this.#listener.onFailure(failure, event, isWaitFailed)
  }
}
