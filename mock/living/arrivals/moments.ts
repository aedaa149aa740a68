import { day, hour } from '../../shared/time-units.ts'
import { localTime, momentOfLocal } from '../../shared/time-zone.ts'
import { rememberEach } from '../numbers.ts'
import { type Feed, rememberedDates } from './feed.ts'
import { habitOf } from './habits.ts'
import { failuresIn, isOnline } from './pauses.ts'

export interface FeedMoment {
  /** A Unix timestamp in milliseconds. */
  readonly at: number
  /** A new connection, a sync, a connection failure, or a reconnection that sends the missed data. */
  readonly kind: 'connect' | 'sync' | 'error' | 'reconnect'
}

/** The maximum number of days without a sync: an offline period, then a failure, then a night. */
const longestPause = 12

/** Returns the feed's next moment after the given time, or undefined if the feed sends nothing more. */
export function nextMoment(feed: Feed, after: number): FeedMoment | undefined {
  if (after < feed.from) return { at: feed.from, kind: 'connect' }
  const first = homeDate(feed, after)
  for (let date = first; date <= first + longestPause; date += 1) {
    const next = momentsOn(feed, date).find(({ at }) => at > after)
    if (next) return next.at <= feed.to ? next : undefined
  }
  return undefined
}

/**
 * Returns the time of the first sync at or after the given time, or undefined if there is none. Connections and
 * reconnections are treated as syncs.
 */
export function syncFrom(feed: Feed, moment: number): number | undefined {
  for (let next = nextMoment(feed, moment - 1); next; next = nextMoment(feed, next.at)) {
    if (next.kind !== 'error') return next.at
  }
  return undefined
}

/** Returns the time of the latest sync before the given time. Connections and reconnections are treated as syncs. */
export function syncBefore(feed: Feed, moment: number): number {
  const last = homeDate(feed, moment)
  for (let date = last; date >= last - longestPause; date -= 1) {
    const found = momentsOn(feed, date).findLast(({ at, kind }) => at < moment && kind !== 'error')
    if (found) return Math.max(found.at, feed.from)
    if ((date - 1) * day < feed.from - day) break
  }
  return feed.from
}

/** Returns the date in the person's home time zone, in days since 1970-01-01. */
export function homeDate({ person }: Feed, moment: number): number {
  return Math.floor(localTime(person.zone, moment) / day)
}

// The cache saves up to 3 s when a week of data is generated for four living users.
const momentsOn = rememberEach(rememberedDates, (feed: Feed, date: number): FeedMoment[] => {
  const isHere = ({ at }: FeedMoment) => homeDate(feed, at) === date
  const syncs = syncTimes(feed, date).filter((at) => isOnline(feed, at))
  const failures = failuresIn(feed, (date - 1) * day, (date + 2) * day)
  const all: FeedMoment[] = [
    ...syncs.map((at) => ({ at, kind: 'sync' as const })),
    ...failures.map(({ from: at }) => ({ at, kind: 'error' as const })),
    ...failures.map(({ to: at }) => ({ at, kind: 'reconnect' as const })),
  ].filter(isHere)
  all.sort((one, other) => one.at - other.at)
  return all.filter(({ at }, index) => at !== all[index - 1]?.at)
})

/** Returns a date's sync times, whether or not a device is online: one random time in each of `count` equal intervals. */
function syncTimes(feed: Feed, date: number): number[] {
  const { count, hours } = habitOf(feed.provider)
  const random = feed.random.fork(`syncs/${date}`)
  const part = ((hours[1] - hours[0]) * hour) / count
  const { zone } = feed.person
  return Array.from({ length: count }, (_, index) => {
    const local = date * day + hours[0] * hour + Math.floor((index + random.next()) * part)
    return momentOfLocal(zone, local)
  })
}

/** Returns the time of the latest sync at or before `until`, like {@link syncBefore}. */
export function lastSync(feed: Feed, until: number): number {
  return syncBefore(feed, Math.min(until, feed.to) + 1)
}

/** Returns the latest `updated_at` of the records that a feed sent by `moment`. */
export function latestVersion(feed: Feed, moment: number): number {
  return Math.max(feed.updatedFrom, lastSync(feed, moment))
}
