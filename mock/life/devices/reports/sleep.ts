import { minute } from '../../../base/time-units.ts'
import { uniform } from '../../noise.ts'
import { clamp, roundTo } from '../../numbers.ts'
import type { PlannedSleep, SleepStage } from '../../plan/day-plan.ts'
import type { LivedDay } from '../day/lived-day.ts'
import { skinTemperatureOf } from '../day/vitals.ts'
import { habitsOf, isWornIn } from '../day/wear.ts'
import { heartRateColumns, meanOf, valuesBetween } from '../day/window.ts'
import type { Device, DeviceRecord } from '../device-record.ts'
import { makeRecord } from './make-record.ts'
import { type NoticedSleep, noticeSleep, stageSeconds } from './sleep-stages.ts'

/** A sleep session that a device reports. */
interface ReportedSleep {
  record: DeviceRecord
  stages: readonly SleepStage[]
}

/** Returns the sleep sessions that end on a day, as far as the device was worn. */
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

/** Whether a device is worn in the main sleep, or in the whole of a nap. */
function isNoticed(day: LivedDay, device: Device, sleep: PlannedSleep): boolean {
  return sleep.isNap ? isWornIn(day, device, sleep) : habitsOf(day, device).isNightWorn
}

function sleepColumns(day: LivedDay, device: Device, sleep: NoticedSleep) {
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

function vitalColumns(day: LivedDay, device: Device, sleep: NoticedSleep) {
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

/** Returns how much lower the heart rate is than in the four hours before, in percent. */
function dipOf(
  day: LivedDay,
  device: Device,
  { start }: NoticedSleep,
  heartRates: readonly number[],
): number | null {
  const evening = { start: start - 240 * minute, end: start }
  const before = meanOf(valuesBetween(day, device, 'heartrate', evening), 6)
  const asleep = meanOf(heartRates, 6)
  if (before === null || asleep === null) return null
  return roundTo(Math.max(0, (1 - asleep / before) * 100))
}
