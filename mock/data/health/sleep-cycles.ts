import type { Summary } from '../../../src/contract/summaries.ts'
import type { Random } from '../../base/random.ts'

/** The stages of a sleep session, one after the other (specification part 6; fields as presumed). */
export interface SleepCycle {
  id: string
  sleep_id: string
  user_id: string
  session_start: string
  session_end: string
  /** Seconds from the start of the session. */
  stage_start_offset_second: number[]
  stage_end_offset_second: number[]
  stage_type: Stage[]
  source: Summary['source']
  calendar_date: string
}

const stages = ['awake', 'light', 'deep', 'light', 'rem'] as const
type Stage = (typeof stages)[number]

/** The stages of a night, which end where the night ends. */
export function sleepCycleOf(sleep: Summary, random: Pick<Random, 'fork'>): SleepCycle {
  const id = String(sleep.id)
  const chance = random.fork(`sleep_cycle/${id}`)
  const [start, end] = [String(sleep['session_start']), String(sleep['session_end'])]
  const length = (Date.parse(`${end}Z`) - Date.parse(`${start}Z`)) / 1000
  const ends: number[] = []
  for (let at = 0; at < length; ) {
    at = Math.min(length, at + chance.integer(5, 40) * 60)
    ends.push(at)
  }
  return {
    id: chance.uuid(),
    sleep_id: id,
    user_id: String(sleep.user_id),
    session_start: start,
    session_end: end,
    stage_start_offset_second: [0, ...ends.slice(0, -1)].slice(0, ends.length),
    stage_end_offset_second: ends,
    stage_type: ends.map((_, at) => stages[at % stages.length] as Stage),
    source: sleep.source,
    calendar_date: String(sleep.calendar_date),
  }
}

const stageNumbers: Record<Stage, number> = { deep: 1, light: 2, rem: 3, awake: 4 }

/** The same as values of the deprecated hypnogram timeseries. */
export function hypnogramOf({ session_start, ...cycle }: SleepCycle) {
  const start = Date.parse(`${session_start}Z`)
  return cycle.stage_start_offset_second.map((offset, at) => ({
    timestamp: new Date(start + offset * 1000).toISOString(),
    value: stageNumbers[cycle.stage_type[at] as Stage],
    unit: 'stage',
    timezone_offset: null,
  }))
}
