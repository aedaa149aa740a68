import type { Summary } from '../../../src/contract/summary-records/summary.ts'
import type { SummaryResource } from '../../../src/contract/values/known-values.ts'
import { day } from '../../base/time-units.ts'
import { type ArrivedSamples, recordIn, samplesIn } from '../../life/arrivals/content.ts'
import type { Feed } from '../../life/arrivals/feed.ts'
import type { Slot } from '../../life/arrivals/slots.ts'
import { isOfSleep } from '../../life/arrivals/transmissions.ts'
import { isFloating, zoneCell } from '../../life/devices/offsets.ts'
import { reportedStages } from '../../life/devices/records.ts'
import { isTable } from '../../life/history/record-table.ts'
import { arrivedRecordTable } from '../../state/records/health/arrived-table.ts'
import { wireTime } from '../../state/records/health/health-time.ts'
import { type SummaryContext, summaryOf } from '../../state/records/health/summaries.ts'
import { resourceOfType } from '../chunk.ts'
import { hypnogramOf, type SleepCycle, sleepCycleOf } from '../sleep-cycles.ts'
import { unitOf } from '../time-series.ts'

/** An item of `data.data` in an event of data that arrived. */
export type ArrivedItem = Summary | SleepCycle | Sample

/** A sample of a time series as events show it. */
interface Sample {
  timestamp: string
  value: number
  unit: string
  timezone_offset: number | null
}

/** Returns the items of a slot as events show them. */
export function itemsOf(
  feed: Feed,
  resource: string,
  slot: Slot,
  context: SummaryContext,
): ArrivedItem[] {
  if (isOfSleep(resource)) return stagesIn(feed, resource, slot, context)
  if (!isTable(resource)) {
    const arrived = samplesIn(feed, resource, slot)
    return arrived ? sampleItems(feed, arrived) : []
  }
  const summary = summaryIn(feed, resource, slot, context)
  return summary ? [summary] : []
}

/** Returns a version of a record; later versions have a later `updated_at`. */
function summaryIn(
  feed: Feed,
  table: string,
  slot: Slot,
  context: SummaryContext,
): Summary | undefined {
  const arrived = recordIn(feed, table, slot)
  if (!arrived || !isTable(table)) return undefined
  // The resources of tables are those of summaries.
  const resource = resourceOfType(table) as SummaryResource
  return summaryOf(resource, feed.userId, arrivedRecordTable(table, [arrived]), 0, context)
}

function stagesIn(
  feed: Feed,
  resource: string,
  slot: Slot,
  context: SummaryContext,
): (SleepCycle | Sample)[] {
  const device = feed.devices[slot.device]
  const arrived = recordIn(feed, 'sleep', slot)
  const sleep = summaryIn(feed, 'sleep', slot, context)
  if (!device || !arrived || !sleep) return []
  const name = `stages/${slot.device}/${slot.start}`
  const known = () => reportedStages(feed.person, device, arrived.record) ?? null
  const stages = feed.recent.get(name, slot.date, known) ?? undefined
  const cycle = sleepCycleOf(sleep, stages, context.random)
  return resource === 'hypnogram' ? hypnogramOf(cycle) : [cycle]
}

/** A sample of a provider that sends local time marked as UTC has no other time. */
function sampleItems(feed: Feed, { samples, start, end }: ArrivedSamples): Sample[] {
  const { resource, moments, locals, values } = samples
  const unit = unitOf(resource)
  const isLocal = isFloating(feed.provider)
  const hasOffset = !isLocal && zoneCell(feed.provider, resource, 'UTC') !== null
  const times = isLocal ? locals : moments
  const timestampOf = timestampWriter()
  const items: Sample[] = []
  for (let index = start; index < end; index += 1) {
    // The index is within the samples.
    const [moment, local] = [moments[index] as number, locals[index] as number]
    items.push({
      timestamp: timestampOf(times[index] as number),
      value: values[index] as number,
      unit,
      timezone_offset: hasOffset ? (local - moment) / 1000 : null,
    })
  }
  return items
}

/** Writes moments of whole seconds, faster than one by one: most of them are on the same date. */
function timestampWriter(): (moment: number) => string {
  let [date, prefix] = [Number.NaN, '']
  return (moment) => {
    const second = Math.floor(moment / 1000) - Math.floor(moment / day) * secondsOfDay
    if (date !== Math.floor(moment / day)) {
      date = Math.floor(moment / day)
      prefix = wireTime(date * day).slice(0, -'00:00:00+00:00'.length)
    }
    const [hours, minutes] = [Math.floor(second / 3600), Math.floor(second / 60) % 60]
    return `${prefix}${twoDigits[hours]}:${twoDigits[minutes]}:${twoDigits[second % 60]}+00:00`
  }
}

const secondsOfDay = day / 1000
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))
