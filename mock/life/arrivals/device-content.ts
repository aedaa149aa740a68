import type { DeviceRecord, DeviceSamples } from '../devices/device-record.ts'
import { reportedRecords } from '../devices/records.ts'
import { reportedSeries } from '../devices/series.ts'
import type { Feed } from './feed.ts'

/** Returns the records of a table that a device of a feed reports for a date. */
export function recordsOn(
  feed: Feed,
  device: number,
  table: string,
  date: number,
): readonly DeviceRecord[] {
  const of = feed.devices[device]
  if (!of) return []
  const name = `${feed.number}/${device}/${table}/${date}`
  return feed.content.get(name, () => reportedRecords(feed.person, of, table, date))
}

/** Returns the samples of a time series that a device of a feed took on a date; undefined without any. */
export function samplesOn(
  feed: Feed,
  device: number,
  series: string,
  date: number,
): DeviceSamples | undefined {
  const of = feed.devices[device]
  if (!of) return undefined
  const name = `${feed.number}/${device}/${series}/${date}`
  return feed.content.get(name, () => reportedSeries(feed.person, of, series, date))
}
