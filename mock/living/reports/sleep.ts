import { minute } from '../../shared/time-units.ts'
import { kindOf } from '../devices/device-kinds.ts'
import type { Device, DeviceRecord } from '../devices/device-record.ts'
import type { LivedDay } from '../devices/lived-day.ts'
import { skinTemperatureOf } from '../devices/vitals.ts'
import { habitsOf, isWornIn } from '../devices/wear.ts'
import { heartRateColumns, meanOf, valuesBetween } from '../devices/window.ts'
import { uniform } from '../noise.ts'
import { clamp, roundTo } from '../numbers.ts'
import type { PlannedSleep, SleepStage } from '../plan/day-plan.ts'
import { makeRecord } from './make-record.ts'

interface ReportedSleep {
  record: DeviceRecord
  stages: readonly SleepStage[]
}

/** Returns the sleep sessions that end on a day and that the device detects. */
export function sleepReports(day: LivedDay, device: Device): ReportedSleep[] {
  return day.plan.sleeps.flatMap((sleep, key) => {
    if (!isNoticed(day, device, sleep)) return []
    const noticed = noticeSleep(sleep, device.type, habitsOf(day, device).noise)
    const { start: session_start, end: session_end, stages } = noticed
    const record = makeRecord(day, device, {
      resource: 'sleep',
      key,
      times: { session_start, session_end },
      readyAt: session_end,
      values: sleepColumns(day, device, noticed),
    })
    return [{ record, stages }]
  })
}

/**
 * Returns whether a device detects a sleep session. A device must be worn at night to detect the main sleep, and during
 * the whole nap to detect a nap. A device that is never worn at night, such as a phone, detects neither.
 */
function isNoticed(day: LivedDay, device: Device, sleep: PlannedSleep): boolean {
  if (kindOf(device.provider).nights === 0) return false
  return sleep.isNap ? isWornIn(day, device, sleep) : habitsOf(day, device).isNightWorn
}

function sleepColumns(day: LivedDay, device: Device, sleep: PlannedSleep) {
  const { awake, light, deep, rem } = stageSeconds(sleep)
  const duration = (sleep.end - sleep.start) / 1000
  const asleep = light + deep + rem
  const efficiency = asleep / duration
  const { plan } = day
  const heartRates = valuesBetween(day, device, 'heartrate', sleep)
  const fallingAsleep = sleep.stages.find(({ type }) => type !== 'awake')?.start ?? sleep.end
  const off = Math.round((uniform(habitsOf(day, device).noise, -3) - 0.5) * 8)
  return {
    state: 'confirmed',
    type: sleep.isNap ? 'short_sleep' : 'long_sleep',
    duration_second: duration,
    stage_asleep_second: asleep,
    stage_awake_second: awake,
    stage_light_second: light,
    stage_rem_second: rem,
    stage_deep_second: deep,
    stage_unknown_second: 0,
    latency_second: (fallingAsleep - sleep.start) / 1000,
    ...heartRateColumns(heartRates),
    heart_rate_resting: heartRates.length > 0 ? Math.round(plan.body.restingHeartRate) : null,
    heart_rate_dip: dipOf(day, device, sleep, heartRates),
    efficiency: roundTo(efficiency * 100),
    ...vitalColumns(day, device, sleep),
    score: sleep.isNap
      ? null
      : clamp(Math.round(efficiency * 48 + (asleep / 3600) * 5 + off), 1, 100),
    recovery_readiness_score: sleep.isNap
      ? null
      : clamp(Math.round(plan.body.readiness + off), 1, 100),
  }
}

function vitalColumns(day: LivedDay, device: Device, sleep: PlannedSleep) {
  const hrv = meanOf(valuesBetween(day, device, 'hrv', sleep), 1)
  const { temperature, delta } = skinTemperatureOf(day)
  const hasThermometer = device.type === 'ring' && !sleep.isNap
  return {
    hrv_mean_rmssd: hrv,
    hrv_mean_sdnn: hrv === null ? null : Math.round(hrv * 0.8 + 14),
    respiratory_rate: meanOf(valuesBetween(day, device, 'respiratory_rate', sleep), 2),
    skin_temperature: hasThermometer ? temperature : null,
    skin_temperature_delta: hasThermometer ? delta : null,
  }
}

/** Returns how much lower the heart rate is during sleep than in the four hours before, as a percentage. */
function dipOf(
  day: LivedDay,
  device: Device,
  { start }: PlannedSleep,
  heartRates: readonly number[],
): number | null {
  const evening = { start: start - 240 * minute, end: start }
  const before = meanOf(valuesBetween(day, device, 'heartrate', evening), 6)
  const asleep = meanOf(heartRates, 6)
  if (before === null || asleep === null) return null
  return roundTo(Math.max(0, (1 - asleep / before) * 100))
}

/**
 * Returns a sleep session as a device detects it. Rings detect the exact start and all stages. Other devices detect the
 * start up to 9 minutes late and miss stages under 4 minutes.
 */
function noticeSleep(sleep: PlannedSleep, type: string, noise: number): PlannedSleep {
  if (type === 'ring') return sleep
  const start = sleep.start + Math.floor(uniform(noise, -2) * 10) * minute
  const stages: SleepStage[] = []
  for (const stage of sleep.stages) {
    if (stage.end <= start) continue
    const from = Math.max(stage.start, start)
    const isShort = stage.end - from < 4 * minute
    const last = stages.at(-1)
    if (last && (isShort || last.type === stage.type)) {
      stages[stages.length - 1] = { ...last, end: stage.end }
    } else {
      stages.push({ ...stage, start: from })
    }
  }
  return { start, end: sleep.end, isNap: sleep.isNap, stages }
}

function stageSeconds({ stages }: PlannedSleep): Readonly<Record<SleepStage['type'], number>> {
  const seconds = { awake: 0, light: 0, deep: 0, rem: 0 }
  for (const { type, start, end } of stages) seconds[type] += (end - start) / 1000
  return seconds
}
