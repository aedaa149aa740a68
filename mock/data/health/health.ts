import type { UserInfoInput } from '../../../src/contract/users.ts'
import {
  type AggregateResource,
  aggregateColumns,
  timeseriesColumns,
} from '../../../src/contract/values/columns.ts'
import type { Random } from '../../base/random.ts'
import { day } from '../../base/time-units.ts'
import { formatFloating } from '../../query/calendar.ts'
import { buildTable, type Row, type Table } from '../../query/table.ts'
import { activityRows, workoutRows } from './activity.ts'
import { bodyRows, mealRows } from './body.ts'
import { type Days, integerAround } from './days.ts'
import { heartRateTable } from './heart-rate.ts'
import { zoneCell } from './offsets.ts'
import { sleepRows } from './sleep.ts'
import { app } from './sources.ts'

/** The days of generated history before the virtual time. */
export const historyDays = { daily: 365, minutely: 30 } as const

/** The column with the time of a row, by resource. */
export const timeColumns: Readonly<Record<AggregateResource, string>> = {
  sleep: 'session_end',
  activity: 'date',
  workout: 'session_start',
  body: 'measured_at',
  meal: 'date',
  profile: 'updated_at',
}

/** The user whose data is generated, and the days to generate. */
export interface HealthSubject {
  /** The random generator of the user. */
  random: Random
  /** The time zone of the user. */
  zone: string
  /** The person of the user. */
  person: Pick<UserInfoInput, 'gender' | 'dob'>
  /** The midnight of the latest day, in local time. */
  last: number
  /** The number of days. Default: the whole history. */
  count?: number
}

const generators: Record<
  Exclude<AggregateResource, 'profile'>,
  (random: Random, days: Days) => Row[]
> = {
  sleep: sleepRows,
  activity: activityRows,
  workout: workoutRows,
  body: bodyRows,
  meal: mealRows,
}

/** Generates the rows of a resource of a user. Of the time series only `heartrate` is generated; the others are empty. */
export function healthTable(resource: string, subject: HealthSubject): Table {
  const { random, last, count = historyDays.daily } = subject
  if (resource === 'heartrate') {
    const days = { last, count: Math.min(count, historyDays.minutely) }
    return heartRateTable(random.fork(resource), days)
  }
  if (!isTable(resource)) return buildTable(timeseriesColumns, 'timestamp', [])
  const rows =
    resource === 'profile'
      ? [profileRow(subject)]
      : generators[resource](random.fork(resource), { last, count })
  const extras = extraColumns(resource, subject)
  const complete = rows.map((row) => ({ ...extras(String(row['source_provider'])), ...row }))
  return buildTable(aggregateColumns[resource], timeColumns[resource], complete)
}

function isTable(name: string): name is AggregateResource {
  return Object.hasOwn(timeColumns, name)
}

/** Generates the profile, on the first day of the history. */
function profileRow({ random, person, last }: HealthSubject): Row {
  return {
    id: random.fork('profile/id').uuid(),
    updated_at: formatFloating(last - (historyDays.daily - 1) * day),
    height_centimeter: integerAround(random.fork('profile'), 172, 16),
    sex: person.gender,
    gender: person.gender,
    birth_date: person.dob,
    ...app,
  }
}

/** Returns the device and the time zone in the rows of a provider. */
function extraColumns(resource: AggregateResource, { random, zone }: HealthSubject) {
  const byProvider = new Map<string, Row>()
  return (provider: string): Row => {
    const known = byProvider.get(provider) ?? {
      source_device_id: provider === app.source_provider ? null : deviceId(random, provider),
      time_zone: zoneCell(provider, resource, zone),
    }
    byProvider.set(provider, known)
    return known
  }
}

function deviceId(random: Random, provider: string): string {
  return random.fork(`device/${provider}`).uuid()
}
