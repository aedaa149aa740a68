import { formatFloating } from '../../query/calendar.ts'
import type { CellValue } from '../../query/table.ts'
import { day as dayLength } from '../../shared/time-units.ts'
import type { Device, DeviceRecord } from '../devices/device-record.ts'
import { type LivedDay, offsetIn, zoneAt } from '../devices/lived-day.ts'
import { zoneCell } from '../devices/offsets.ts'

interface RecordFacts {
  resource: string
  /** Distinguishes records of the same device, resource and day. */
  key: string | number
  /** The timestamps of the time columns. The latest timestamp determines the record's time zone. */
  times: Readonly<Record<string, number>>
  readyAt: number
  values: Readonly<Record<string, CellValue>>
}

/** Creates a record. Its times are floating local times in the time zone of its latest timestamp. */
export function makeRecord(
  day: LivedDay,
  { id: deviceId, provider, type }: Device,
  { resource, key, times, readyAt, values }: RecordFacts,
): DeviceRecord {
  const { person, date, plan } = day
  const zone = zoneAt(plan, Math.max(...Object.values(times)))
  // Even if the clock skips midnight, the record's day starts at midnight.
  const local = (moment: number) =>
    formatFloating(moment === plan.start ? date * dayLength : moment + offsetIn(zone, moment))
  const id = person.random.fork(`${resource}/${provider}/${date}/${key}`).uuid()
  const locals = Object.entries(times).map(([name, moment]) => [name, local(moment)])
  return {
    id,
    resource,
    date,
    readyAt,
    moments: times,
    values: {
      id,
      ...Object.fromEntries(locals),
      ...values,
      time_zone: zoneCell(provider, resource, zone),
      source_device_id: type === 'app' ? null : deviceId,
      source_provider: provider,
      source_type: type,
      source_app_id: null,
    },
  }
}
