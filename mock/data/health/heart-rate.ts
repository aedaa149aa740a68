import type { Random } from '../../base/random.ts'
import { day, minute } from '../../base/time-units.ts'
import { formatFloating } from '../../query/calendar.ts'
import { columnOf, constantColumn, type Table } from '../../query/table.ts'
import type { Days } from './days.ts'
import { watch } from './sources.ts'

/**
 * Generates the table of `heartrate`: a watch measures every minute, except for 70 minutes of charging a day. Written
 * as columns, because objects for so many rows take too long.
 */
export function heartRateTable(random: Random, { last, count }: Days): Table {
  const moments: number[] = []
  const values: number[] = []
  for (let midnight = last - (count - 1) * day; midnight <= last; midnight += day) {
    const dayRandom = random.fork(formatFloating(midnight))
    const charging = dayRandom.integer(18 * 60, 21 * 60)
    for (let at = 0; at < 24 * 60; at += 1) {
      if (at >= charging && at < charging + 70) continue
      moments.push(midnight + at * minute)
      values.push(Math.round(daytimeRate(at) + (dayRandom.next() - 0.5) * 14))
    }
  }
  const sources = Object.entries(watch).map(([name, text]) => [
    name,
    constantColumn(text, moments.length),
  ])
  return {
    time: Float64Array.from(moments),
    columns: {
      timestamp: columnOf('time', moments),
      value: columnOf('number', values),
      ...Object.fromEntries(sources),
    },
  }
}

/** Returns the mean heart rate at a minute of the day: lowest at 4 in the morning, highest at 4 in the afternoon. */
function daytimeRate(minuteOfDay: number): number {
  return 70 - 13 * Math.cos(((minuteOfDay - 4 * 60) / (24 * 60)) * 2 * Math.PI)
}
