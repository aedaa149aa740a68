import type { Random } from '../../base/random.ts'
import { minute } from '../../base/time-units.ts'
import { formatFloating } from '../../query/calendar.ts'
import type { Row } from '../../query/table.ts'
import { type Days, eachDay, integerAround, isWeekend, randomAround, roundTo } from './days.ts'
import { ring, type SourceColumns, watch } from './sources.ts'

/** A night, as each source measures it. */
interface Night {
  /** Milliseconds since 1970. */
  start: number
  hours: number
  /** The resting heart rate of the user. */
  restingRate: number
}

/** Generates the rows of `sleep`: a ring measures most nights, and a watch some of them. */
export function sleepRows(random: Random, days: Days): Row[] {
  const restingRate = integerAround(random, 56, 8)
  return eachDay(random, days, (midnight, dayRandom) => {
    const start = midnight + integerAround(dayRandom, -60, 90) * minute
    const hours = randomAround(dayRandom, isWeekend(midnight) ? 8 : 7.2, 1.6)
    const night = { start, hours, restingRate }
    const late = { start: start + 6 * minute, hours: hours - 0.2, restingRate }
    return [
      ...(dayRandom.next() < 0.94 ? [sleepRow(dayRandom, night, ring)] : []),
      ...(dayRandom.next() < 0.6 ? [sleepRow(dayRandom, late, watch)] : []),
    ]
  })
}

function sleepRow(
  random: Random,
  { start, hours, restingRate }: Night,
  source: SourceColumns,
): Row {
  const duration = Math.round(hours * 60) * 60
  const awake = Math.round(duration * randomAround(random, 0.08, 0.05))
  const asleep = duration - awake
  const deep = Math.round(asleep * randomAround(random, 0.19, 0.07))
  const rem = Math.round(asleep * randomAround(random, 0.22, 0.07))
  const efficiency = asleep / duration
  return {
    id: random.uuid(),
    session_start: formatFloating(start),
    session_end: formatFloating(start + duration * 1000),
    state: 'confirmed',
    type: 'long_sleep',
    duration_second: duration,
    stage_asleep_second: asleep,
    stage_awake_second: awake,
    stage_light_second: asleep - deep - rem,
    stage_rem_second: rem,
    stage_deep_second: deep,
    stage_unknown_second: 0,
    latency_second: integerAround(random, 720, 600),
    heart_rate_minimum: restingRate - random.integer(2, 6),
    heart_rate_mean: restingRate + random.integer(2, 7),
    heart_rate_maximum: restingRate + random.integer(18, 34),
    heart_rate_resting: restingRate + random.integer(-2, 2),
    efficiency: roundTo(efficiency * 100),
    hrv_mean_rmssd: random.next() < 0.9 ? roundTo(randomAround(random, 48, 25)) : null,
    respiratory_rate: roundTo(randomAround(random, 14.5, 1.5), 2),
    score: Math.min(100, Math.round(efficiency * 60 + hours * 4 + randomAround(random, 0, 6))),
    ...recoveryColumns(deep, rem, source),
    ...source,
  }
}

/** The usual temperature of the skin at night, in degrees Celsius. */
const usualSkinTemperature = 34.2

/** Returns what a device computes from a night; only a ring measures the temperature of the skin. */
function recoveryColumns(deep: number, rem: number, source: SourceColumns): Row {
  const delta = source === ring ? roundTo((deep % 161) / 100 - 0.8, 2) : null
  return {
    recovery_readiness_score: 55 + (rem % 41),
    hrv_mean_sdnn: 30 + (deep % 51),
    heart_rate_dip: roundTo(8 + (rem % 121) / 10),
    skin_temperature: delta === null ? null : roundTo(usualSkinTemperature + delta, 2),
    skin_temperature_delta: delta,
  }
}
