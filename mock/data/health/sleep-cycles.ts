import type { Summary } from '../../../src/contract/summary-records/summary.ts'
import type { Random } from '../../base/random.ts'
import { formatFloating } from '../../query/calendar.ts'

/** The stages of a sleep session (specification part 6); the fields are our assumption. */
export interface SleepCycle {
  /** A UUID. */
  id: string
  /** The id of the sleep session. */
  sleep_id: string
  /** The user who slept. */
  user_id: string
  /** The time of falling asleep, ISO 8601 in UTC. */
  session_start: string
  /** The time of waking, ISO 8601 in UTC. */
  session_end: string
  /** The offset of the user's time zone, in seconds east of UTC; null if the provider does not send it. */
  timezone_offset: number | null
  /** The start of each stage, in seconds from the start of the session. */
  stage_start_offset_second: number[]
  /** The end of each stage, in seconds from the start of the session. */
  stage_end_offset_second: number[]
  /** The type of each stage. */
  stage_type: Stage[]
  /** Where the data comes from. */
  source: Summary['source']
  /** The day of the session, `YYYY-MM-DD`. */
  calendar_date: string
}

const stages = ['awake', 'light', 'deep', 'light', 'rem'] as const
type Stage = (typeof stages)[number]

/** Generates the stages of a sleep session. */
export function sleepCycleOf(sleep: Summary, random: Pick<Random, 'fork'>): SleepCycle {
  const id = String(sleep.id)
  const cycleRandom = random.fork(`sleep_cycle/${id}`)
  const [start, end] = [String(sleep['bedtime_start']), String(sleep['bedtime_stop'])]
  const offset = sleep['timezone_offset']
  const length = (Date.parse(end) - Date.parse(start)) / 1000
  const ends: number[] = []
  for (let at = 0; at < length; ) {
    at = Math.min(length, at + cycleRandom.integer(5, 40) * 60)
    ends.push(at)
  }
  return {
    id: cycleRandom.uuid(),
    sleep_id: id,
    user_id: String(sleep.user_id),
    session_start: start,
    session_end: end,
    timezone_offset: typeof offset === 'number' ? offset : null,
    stage_start_offset_second: [0, ...ends.slice(0, -1)].slice(0, ends.length),
    stage_end_offset_second: ends,
    stage_type: ends.map((_, index) => stages[index % stages.length] as Stage),
    source: sleep.source,
    calendar_date: String(sleep.calendar_date),
  }
}

const stageNumbers: Record<Stage, number> = { deep: 1, light: 2, rem: 3, awake: 4 }

/** Returns sleep stages as values of the deprecated hypnogram timeseries. */
export function hypnogramOf({ session_start, ...cycle }: SleepCycle) {
  const start = Date.parse(session_start)
  return cycle.stage_start_offset_second.map((offset, index) => ({
    timestamp: formatFloating(start + offset * 1000).concat('+00:00'),
    value: stageNumbers[cycle.stage_type[index] as Stage],
    unit: 'stage',
    timezone_offset: cycle.timezone_offset,
  }))
}
