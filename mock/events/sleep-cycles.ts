import type { Sample } from '../../src/contract/samples.ts'
import type { Summary } from '../../src/contract/summary-records/summary.ts'
import { sampleFormOf } from '../../src/contract/values/samples.ts'
import { present } from '../../src/shared/narrow.ts'
import { formatFloating } from '../query/calendar.ts'
import type { Random } from '../reference-data/random.ts'
import type { FormPort } from '../state/ports.ts'
import { makeSample, sampleId, seriesNumber } from './time-series.ts'

/** The stages of a sleep session (specification part 6). The fields are an assumption. */
export interface SleepCycle {
  id: string
  sleep_id: string
  user_id: string
  /** When the user went to bed, in UTC (ISO 8601). */
  session_start: string
  /** When the user got up, in UTC (ISO 8601). */
  session_end: string
  /** The user's time zone offset, in seconds east of UTC, or null if the provider does not send it. */
  timezone_offset: number | null
  /** The start of each stage, in seconds from the start of the session. */
  stage_start_offset_second: number[]
  /** The end of each stage, in seconds from the start of the session. */
  stage_end_offset_second: number[]
  stage_type: StageType[]
  source: Summary['source']
  /** The session's day, `YYYY-MM-DD`. */
  calendar_date: string
}

type StageType = 'awake' | 'light' | 'deep' | 'rem'

/** A stage, with times in seconds since the start of the session. */
interface Stage {
  type: StageType
  start: number
  end: number
}

/** A stage of generated sleep, with times as Unix timestamps in milliseconds. */
export interface KnownStage {
  type: StageType
  start: number
  end: number
}

/**
 * Returns a session's stages. Uses the known stages if they match the summary. Otherwise derives the stages from the
 * summary, which a test may have replaced.
 */
export function sleepCycleOf(
  sleep: Summary,
  known: readonly KnownStage[] | undefined,
  random: Random,
): SleepCycle {
  const id = String(sleep.id)
  const [start, end] = [String(sleep['bedtime_start']), String(sleep['bedtime_stop'])]
  const offset = sleep['timezone_offset']
  const stages = matchingStages(sleep, known) ?? stagesOfLengths(sleep)
  return {
    id: random.fork(`sleep_cycle/${id}`).uuid(),
    sleep_id: id,
    user_id: String(sleep.user_id),
    session_start: start,
    session_end: end,
    timezone_offset: typeof offset === 'number' ? offset : null,
    stage_start_offset_second: stages.map((stage) => stage.start),
    stage_end_offset_second: stages.map((stage) => stage.end),
    stage_type: stages.map(({ type }) => type),
    source: sleep.source,
    calendar_date: String(sleep.calendar_date),
  }
}

/** Returns the known stages, or undefined if their length or their totals differ from the summary. */
function matchingStages(
  sleep: Summary,
  known: readonly KnownStage[] | undefined,
): Stage[] | undefined {
  const [first] = known ?? []
  if (!known || !first) return undefined
  const stages = known.map(({ type, start, end }) => ({
    type,
    start: (start - first.start) / 1000,
    end: (end - first.start) / 1000,
  }))
  const total = (type: StageType) =>
    stages.reduce((sum, stage) => sum + (stage.type === type ? stage.end - stage.start : 0), 0)
  const isSame =
    stages.at(-1)?.end === lengthOf(sleep) &&
    stageTypes.every((type) => total(type) === sleep[type])
  return isSame ? stages : undefined
}

const stageTypes = ['light', 'deep', 'rem', 'awake'] as const satisfies StageType[]

/** The usual share of each stage, for a summary without stages. */
const usualShares = { light: 0.5, deep: 0.2, rem: 0.22, awake: 0.08 }
/** The usual length of a sleep cycle in seconds. */
const cycleLength = 90 * 60

/** Divides a session into cycles whose stages add up to the summary's totals. The rest of the session is awake time. */
function stagesOfLengths(sleep: Summary): Stage[] {
  const length = lengthOf(sleep)
  const hasStages = stageTypes.some((type) => typeof sleep[type] === 'number')
  const secondsOf = (type: StageType) =>
    hasStages ? Number(sleep[type] ?? 0) : Math.round(length * usualShares[type])
  const cycles = Math.max(1, Math.round(length / cycleLength))
  const stages: Stage[] = []
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    for (const type of stageTypes) {
      const until = (count: number) => Math.round((secondsOf(type) * count) / cycles)
      addStage(stages, type, until(cycle + 1) - until(cycle), length)
    }
  }
  addStage(stages, 'awake', length, length)
  return stages
}

/** Adds a stage that lasts `seconds`, or until the session ends. Extends the last stage if it has the same type. */
function addStage(stages: Stage[], type: StageType, seconds: number, length: number): void {
  const last = stages.at(-1)
  const start = last?.end ?? 0
  const end = Math.min(start + seconds, length)
  if (!(end > start)) return
  if (last?.type === type) last.end = end
  else stages.push({ type, start, end })
}

/** Returns the length of a session in seconds, or 0 if a time is missing or invalid. */
function lengthOf(sleep: Summary): number {
  const length =
    Date.parse(String(sleep['bedtime_stop'])) - Date.parse(String(sleep['bedtime_start']))
  return Number.isNaN(length) ? 0 : length / 1000
}

const stageNumbers: Record<StageType, number> = { deep: 1, light: 2, rem: 3, awake: 4 }

/** Returns sleep stages as samples of the deprecated hypnogram time series. */
export function hypnogramOf(cycle: SleepCycle, context: FormPort): Sample[] {
  const start = Date.parse(cycle.session_start)
  const { provider } = cycle.source
  const series = seriesNumber(cycle.user_id, String(provider), 'hypnogram')
  const timeOf = (offset = 0) => formatFloating(start + offset * 1000).concat('+00:00')
  return cycle.stage_start_offset_second.map((offset, index) =>
    makeSample(
      sampleFormOf('hypnogram'),
      {
        id: sampleId(series, start + offset * 1000),
        timestamp: timeOf(offset),
        end: timeOf(cycle.stage_end_offset_second[index]),
        offset: cycle.timezone_offset,
        values: { value: stageNumbers[present(cycle.stage_type[index])] },
      },
      context,
    ),
  )
}
