import type { Sample } from '../../../src/contract/samples.ts'
import type { Summary } from '../../../src/contract/summary-records/summary.ts'
import type { SummaryResource } from '../../../src/contract/values/known-values.ts'
import { type SampleForm, sampleFormOf } from '../../../src/contract/values/samples.ts'
import {
  connectionErrorEvent,
  connectionEvent,
  dataContent,
  type EventBody,
  noticeEvent,
} from '../../events/bodies.ts'
import { resourceOfType, sentResources } from '../../events/chunk.ts'
import type { EventPort } from '../../events/event-port.ts'
import { hypnogramOf, type SleepCycle, sleepCycleOf } from '../../events/sleep-cycles.ts'
import { makeSample, sampleId, seriesNumber } from '../../events/time-series.ts'
import { day } from '../../shared/time-units.ts'
import { makeSource } from '../../state/collections/source.ts'
import { wireTime } from '../../state/health/health-time.ts'
import { summaryOf } from '../../state/health/summaries.ts'
import type { FormPort, SummaryPort } from '../../state/ports.ts'
import {
  type ArrivedSamples,
  arrivedRecordTable,
  recordIn,
  samplesIn,
  sentTimes,
} from '../arrivals/arrived.ts'
import type { Feed } from '../arrivals/feed.ts'
import type { Slot } from '../arrivals/slots.ts'
import { isOfSleep, slotsSent } from '../arrivals/transmissions.ts'
import type { SampleFields } from '../devices/device-record.ts'
import { isFloating, zoneCell } from '../devices/offsets.ts'
import { isTable } from '../history/record-table.ts'
import { reportedStages } from '../reports/records.ts'
import type { ArrivalEmission } from './arrival-emissions.ts'

/** Returns the event's body. A duplicate event has the same body. */
export function arrivalBody(emission: ArrivalEmission, context: EventPort): EventBody {
  const { transmission } = emission
  const feed = context.living.feed(emission.feed)
  const dated = { ...context, clock: { moment: transmission.at } }
  if (transmission.kind === 'connected') {
    return connectionEvent(feed.userId, feed.provider, dated, sentResources(feed, dated))
  }
  if (transmission.kind === 'failed') return connectionErrorEvent(feed.userId, feed.provider, dated)
  return emission.isNotice ? notice(emission, feed, dated) : dataOf(emission, feed, dated)
}

function notice({ event_type, transmission }: ArrivalEmission, feed: Feed, context: EventPort) {
  const { userId: user_id, provider } = feed
  const resource = resourceOfType(transmission.resource)
  return noticeEvent(event_type, { user_id, provider, resource }, context)
}

function dataOf(
  { event_type, transmission }: ArrivalEmission,
  feed: Feed,
  context: EventPort,
): EventBody {
  const { resource } = transmission
  const records = slotsSent(feed, transmission).flatMap((slot) =>
    itemsOf(feed, resource, slot, context),
  )
  const source = makeSource(feed.provider, feed.devices[0]?.type ?? 'unknown', context)
  const content = { event_type, resource: resourceOfType(resource), records, source }
  return { event_type, user_id: feed.userId, data: dataContent(content, context) }
}

/** An item in an arrival event's `data.data`. */
export type ArrivedItem = Summary | SleepCycle | Sample

export function itemsOf(
  feed: Feed,
  resource: string,
  slot: Slot,
  team: SummaryPort,
): ArrivedItem[] {
  // Use the feed's own zone, because the user's time zone may have changed since.
  const context = { ...team, data: { zoneOf: () => feed.person.zone } }
  if (isOfSleep(resource)) return stagesIn(feed, resource, slot, context)
  if (!isTable(resource)) {
    const arrived = samplesIn(feed, resource, slot)
    return arrived ? sampleItems(feed, arrived, context) : []
  }
  const summary = summaryIn(feed, resource, slot, context)
  return summary ? [summary] : []
}

/** Returns a record as a summary. Each later version of the record has a later `updated_at`. */
function summaryIn(
  feed: Feed,
  table: string,
  slot: Slot,
  context: SummaryPort,
): Summary | undefined {
  const arrived = recordIn(feed, table, slot)
  if (!arrived || !isTable(table)) return undefined
  // Every table's resource is a summary resource.
  const resource = resourceOfType(table) as SummaryResource
  const row = { user_id: feed.userId, table: arrivedRecordTable(table, [arrived]), row: 0 }
  return summaryOf(resource, row, context)
}

function stagesIn(
  feed: Feed,
  resource: string,
  slot: Slot,
  context: SummaryPort,
): (SleepCycle | Sample)[] {
  const device = feed.devices[slot.device]
  const arrived = recordIn(feed, 'sleep', slot)
  const sleep = summaryIn(feed, 'sleep', slot, context)
  if (!device || !arrived || !sleep) return []
  const stages = reportedStages(feed.person, device, arrived.record)
  const cycle = sleepCycleOf(sleep, stages, context.random)
  return resource === 'hypnogram' ? hypnogramOf(cycle, context) : [cycle]
}

function sampleItems(
  feed: Feed,
  { samples, start, end }: ArrivedSamples,
  context: FormPort,
): Sample[] {
  const { resource, moments, locals, values, lengths, fields } = samples
  const form = sampleFormOf(resource)
  const series = seriesNumber(feed.userId, feed.provider, resource)
  const isLocal = isFloating(feed.provider)
  const hasOffset = !isLocal && zoneCell(feed.provider, resource, 'UTC') !== null
  const times = sentTimes(samples, feed.provider)
  const timestampOf = timestampWriter()
  const items: Sample[] = []
  for (let index = start; index < end; index += 1) {
    // The index is within the samples.
    const [moment, local] = [moments[index] as number, locals[index] as number]
    const time = times[index] as number
    const content = {
      id: sampleId(series, time),
      timestamp: timestampOf(time),
      end: lengths ? timestampOf(time + (lengths[index] as number)) : null,
      offset: hasOffset ? (local - moment) / 1000 : null,
      values: form.values
        ? valuesOf(form.values, fields?.[index], values[index] as number)
        : { value: values[index] as number },
    }
    items.push(makeSample(form, content, context))
  }
  return items
}

function valuesOf(
  types: NonNullable<SampleForm['values']>,
  fields: SampleFields = {},
  value: number,
): Record<string, unknown> {
  const names = Object.keys(types)
  return Object.fromEntries(
    names.map((name) => [name, fields[name] ?? (name === 'value' ? value : null)]),
  )
}

/**
 * Returns a function that formats times to the second. The function caches the date, because most consecutive times
 * share it.
 */
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
