import { present } from '../../../src/shared/narrow.ts'
import { minute } from '../../shared/time-units.ts'
import { roundTo } from '../numbers.ts'
import type { Span } from '../plan/spans.ts'
import type { Device } from './device-record.ts'
import { type LivedDay, livedDay } from './lived-day.ts'
import { measure } from './measure.ts'

/** Returns a device's values in a span that ends on `day` and can start on the day before. */
export function valuesBetween(
  day: LivedDay,
  device: Device,
  resource: string,
  { start, end }: Span,
): number[] {
  const days = start < day.plan.start ? [livedDay(day.person, day.date - 1), day] : [day]
  return days.flatMap((part) => {
    const samples = measure(part, device, resource)
    if (!samples) return []
    const [from, to] = [(start - part.plan.start) / minute, (end - part.plan.start) / minute]
    return samples.values.filter((_, at) => {
      const of = present(samples.minutes[at])
      return of >= from && of < to
    })
  })
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

export function meanOf(values: readonly number[], decimals = 0): number | null {
  if (values.length === 0) return null
  return roundTo(sumOf(values) / values.length, decimals)
}

export function heartRateColumns(values: readonly number[]) {
  const hasValues = values.length > 0
  return {
    heart_rate_mean: meanOf(values),
    heart_rate_minimum: hasValues ? values.reduce((one, other) => Math.min(one, other)) : null,
    heart_rate_maximum: hasValues ? values.reduce((one, other) => Math.max(one, other)) : null,
  }
}
