import { day, hour } from '../../base/time-units.ts'
import type { Feed } from './feed.ts'
import { isOnDevice } from './habits.ts'

/** A span without data: after `from`, and before `to`. */
export interface Pause {
  readonly from: number
  readonly to: number
}

/** How often a pause happens: at most one in each block of days. Assumptions. */
interface PauseHabit {
  /** The days of a block. */
  readonly block: number
  /** The share of blocks with a pause. */
  readonly share: number
  /** The shortest and the longest pause, in hours; shorter than a block. */
  readonly hours: readonly [number, number]
}

/** A device that does not reach its phone or its network, such as on a hike; it keeps what it measures. */
const offline: PauseHabit = { block: 21, share: 0.4, hours: [20, 120] }

/** A token that the provider no longer accepts, until the user connects again. */
const failure: PauseHabit = { block: 60, share: 0.45, hours: [3, 72] }

/** Returns the time in which the devices of a feed are offline around a moment; undefined if they are online. */
export function offlineAt(feed: Feed, moment: number): Pause | undefined {
  return pauseAt(feed, 'offline', offline, moment)
}

/** Returns the failure of the connection around a moment; undefined if it works. */
export function failureAt(feed: Feed, moment: number): Pause | undefined {
  const pause = failureIn(feed, blockOf(failure, moment))
  return pause && contains(pause, moment) ? pause : undefined
}

/** Returns the failures of the connection that overlap a span. */
export function failuresIn(feed: Feed, from: number, to: number): Pause[] {
  const pauses: Pause[] = []
  for (let block = blockOf(failure, from); block <= blockOf(failure, to); block += 1) {
    const pause = failureIn(feed, block)
    if (pause && pause.from <= to && pause.to >= from) pauses.push(pause)
  }
  return pauses
}

/** The connection of a phone has no token that can expire. One that was made during a failure works. */
function failureIn(feed: Feed, block: number): Pause | undefined {
  if (isOnDevice(feed.provider)) return undefined
  const pause = pauseIn(feed, 'failure', failure, block)
  return pause && pause.from > feed.from ? pause : undefined
}

function pauseAt(feed: Feed, name: string, habit: PauseHabit, moment: number): Pause | undefined {
  const pause = pauseIn(feed, name, habit, blockOf(habit, moment))
  return pause && contains(pause, moment) ? pause : undefined
}

function blockOf({ block }: PauseHabit, moment: number): number {
  return Math.floor(moment / (block * day))
}

function pauseIn(feed: Feed, name: string, habit: PauseHabit, block: number): Pause | undefined {
  return feed.recent.get(name, block, () => drawPause(feed, name, habit, block)) ?? undefined
}

function drawPause(feed: Feed, name: string, habit: PauseHabit, block: number): Pause | null {
  const random = feed.random.fork(`${name}/${block}`)
  if (random.next() >= habit.share) return null
  const length = Math.round(
    (habit.hours[0] + random.next() ** 2 * (habit.hours[1] - habit.hours[0])) * hour,
  )
  const from =
    block * habit.block * day + Math.round(random.next() * (habit.block * day - length - 1))
  return { from, to: from + length }
}

function contains({ from, to }: Pause, moment: number): boolean {
  return moment > from && moment < to
}
