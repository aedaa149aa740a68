import { uniform } from '../noise.ts'
import { stageCodes } from '../signals/timeline.ts'
import { isAsleep, type LivedDay } from './lived-day.ts'

interface Vitals {
  /** The heart rate variability (RMSSD) in whole milliseconds. */
  hrv: number
  /** Breaths per minute. */
  breaths: number
  /** The blood oxygen saturation as a whole percentage. */
  oxygen: number
}

interface Usual {
  breaths: number
  oxygen: number
  /** Degrees Celsius. */
  skinTemperature: number
  /** The seed of the day's deviations from the usual values. */
  noise: number
}

/** Returns the vital signs at the given minute, or undefined if the person is awake. */
export function vitalsAt(day: LivedDay, at: number): Vitals | undefined {
  const stage = day.stages[at]
  if (!isAsleep(stage)) return undefined
  const { hrv, illness } = day.plan.body
  const { breaths, oxygen, noise } = usualOf(day)
  const random = uniform(noise, at) - 0.5
  const deeper = stage === stageCodes.deep ? 1 : stage === stageCodes.rem ? -1 : 0
  return {
    hrv: Math.max(5, Math.round(hrv * (1 + deeper * 0.1 + random * 0.3))),
    breaths: Math.round((breaths + illness * 2.5 - deeper * 0.6 + random * 1.2) * 10) / 10,
    oxygen: Math.min(100, Math.round(oxygen - illness * 2 + random * 2.4)),
  }
}

/** Returns the skin temperature for the night that ends on a day, and its deviation from the usual value, in °C. */
export function skinTemperatureOf(day: LivedDay): { temperature: number; delta: number } {
  const { skinTemperature, noise } = usualOf(day)
  const change = day.plan.body.illness * 1.4 + (uniform(noise, -1) - 0.5) * 0.7
  // Add 0 to turn -0 into 0, because JSON does not preserve -0.
  const delta = Math.round(change * 100) / 100 + 0
  return { temperature: Math.round((skinTemperature + delta) * 100) / 100, delta }
}

function usualOf(day: LivedDay): Usual {
  return day.once('usual', () => {
    const random = day.person.random.fork('vitals')
    return {
      breaths: 12.5 + random.next() * 4,
      oxygen: 96 + random.next() * 1.8,
      skinTemperature: Math.round((33.6 + random.next() * 1.2) * 100) / 100,
      noise: day.person.random.fork(`vitals/${day.date}`).integer(0, 0x7fff_ffff),
    }
  })
}
