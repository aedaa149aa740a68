import { day, hour } from '../../shared/time-units.ts'
import { rememberEach } from '../numbers.ts'
import { type Feed, rememberedDates } from './feed.ts'
import { isOnDevice } from './habits.ts'

/** A period without data. Both ends are exclusive. */
interface Pause {
  readonly from: number
  readonly to: number
}

/**
 * How often pauses happen and how long they last. Each block of days contains at most one pause. All values are
 * assumptions.
 */
interface PauseHabit {
  readonly name: string
  /** The block length in milliseconds. */
  readonly block: number
  /** The share of blocks with a pause. */
  readonly share: number
  /** The minimum and maximum length of a pause in hours. Both are shorter than a block. */
  readonly hours: readonly [number, number]
}

/** The device cannot reach its phone or network, for example on a hike. Its measurements are sent later. */
const offline: PauseHabit = { name: 'offline', block: 21 * day, share: 0.4, hours: [20, 120] }

/** The provider rejects the token until the user reconnects. */
const failure: PauseHabit = { name: 'failure', block: 60 * day, share: 0.45, hours: [3, 72] }

// These caches save up to 0.2 s when a week of data is generated for four living users.
const offlineIn = rememberEach(rememberedDates, (feed: Feed, block: number) =>
  drawPause(feed, offline, block),
)

const failureIn = rememberEach(rememberedDates, (feed: Feed, block: number) => {
  // A phone's connection has no token that can expire. A connection created during a failure has a valid token.
  const pause = isOnDevice(feed.provider) ? undefined : drawPause(feed, failure, block)
  return pause && pause.from > feed.from ? pause : undefined
})

export function isOnline(feed: Feed, moment: number): boolean {
  const pauses = [
    offlineIn(feed, Math.floor(moment / offline.block)),
    failureIn(feed, Math.floor(moment / failure.block)),
  ]
  return !pauses.some((pause) => pause && moment > pause.from && moment < pause.to)
}

export function failuresIn(feed: Feed, from: number, to: number): Pause[] {
  const pauses: Pause[] = []
  for (let block = Math.floor(from / failure.block); block * failure.block <= to; block += 1) {
    const pause = failureIn(feed, block)
    if (pause && pause.from <= to && pause.to >= from) pauses.push(pause)
  }
  return pauses
}

function drawPause(feed: Feed, habit: PauseHabit, block: number): Pause | undefined {
  const { name, share, hours } = habit
  const random = feed.random.fork(`${name}/${block}`)
  if (random.next() >= share) return undefined
  const length = Math.round((hours[0] + random.next() ** 2 * (hours[1] - hours[0])) * hour)
  const from = block * habit.block + Math.round(random.next() * (habit.block - length - 1))
  return { from, to: from + length }
}
