import { Appointment } from '../../contract/appointments.ts'
import { Order } from '../../contract/orders.ts'
import { ActivitySummary } from '../../contract/summary-records/activity.ts'
import { BodySummary } from '../../contract/summary-records/body.ts'
import { MealSummary } from '../../contract/summary-records/meal.ts'
import { ProfileSummary } from '../../contract/summary-records/profile.ts'
import { SleepSummary } from '../../contract/summary-records/sleep.ts'
import { WorkoutSummary } from '../../contract/summary-records/workout.ts'
import { type SqlColumn, sqlColumn, sqlColumnsOf } from './columns.ts'

export interface SyncTable {
  readonly name: string
  readonly about: string
  readonly key: readonly string[]
  readonly columns: readonly SqlColumn[]
  readonly indexes: readonly (readonly string[])[]
  /** A record's known fields that are not in `columns`. */
  readonly known: readonly string[]
}

type Facts = Pick<SyncTable, 'about' | 'columns'> & Partial<SyncTable>

function table(
  name: string,
  { key = ['id', 'user_id'], indexes = [], known = [], ...facts }: Facts,
): SyncTable {
  return { name, key, indexes, known, ...facts }
}

const byDay = [['user_id', 'calendar_date']]

export const syncTables = {
  sleep: table('sleep', {
    about: 'Sleep sessions (specification 2.9; fields and units assumed).',
    columns: sqlColumnsOf(SleepSummary),
    indexes: byDay,
  }),
  activity: table('activity', {
    about: 'Activity by day (specification 2.9; fields and units assumed).',
    columns: sqlColumnsOf(ActivitySummary),
    indexes: byDay,
  }),
  workouts: table('workouts', {
    about: 'Workouts (specification 2.9; fields and units assumed).',
    columns: sqlColumnsOf(WorkoutSummary),
    indexes: [...byDay, ['user_id', 'time_start']],
  }),
  body: table('body', {
    about: 'Body measurements (specification 2.9; fields and units assumed).',
    columns: sqlColumnsOf(BodySummary),
    indexes: byDay,
  }),
  profile: table('profile', {
    about: 'Profiles (specification 2.9).',
    columns: sqlColumnsOf(ProfileSummary),
    indexes: [['user_id']],
  }),
  meals: table('meals', {
    about: 'Meals (specification 2.9; fields and units assumed; macronutrients in grams).',
    columns: sqlColumnsOf(MealSummary),
    indexes: [...byDay, ['user_id', 'timestamp']],
  }),
  sleep_cycles: table('sleep_cycles', {
    about: 'The stages of sleep sessions (specification part 6; fields assumed).',
    columns: [
      sqlColumn('sleep_id', 'text'),
      sqlColumn('calendar_date', 'date'),
      sqlColumn('session_start', 'timestamptz'),
      sqlColumn('session_end', 'timestamptz'),
      sqlColumn('timezone_offset', 'double precision'),
      sqlColumn('stage_start_offset_second', 'jsonb'),
      sqlColumn('stage_end_offset_second', 'jsonb'),
      sqlColumn('stage_type', 'jsonb'),
    ],
    indexes: [...byDay, ['sleep_id']],
  }),
  samples: table('samples', {
    about: 'Samples of time series (specification part 6; fields assumed).',
    key: [
      ...['user_id', 'resource', 'timestamp'],
      ...['source_provider', 'source_type', 'source_app_id'],
    ],
    columns: [
      sqlColumn('start', 'timestamptz'),
      sqlColumn('end', 'timestamptz'),
      sqlColumn('timezone_offset', 'double precision'),
      sqlColumn('type', 'text'),
      sqlColumn('unit', 'text'),
      sqlColumn('value', 'double precision'),
      { name: 'value_text', type: 'text', path: ['value'] },
      sqlColumn('systolic', 'double precision'),
      sqlColumn('diastolic', 'double precision'),
      sqlColumn('tags', 'jsonb'),
      sqlColumn('sensor_location', 'text'),
      sqlColumn('intensity', 'text'),
      sqlColumn('delivery_mode', 'text'),
      sqlColumn('delivery_form', 'text'),
      sqlColumn('bolus_purpose', 'text'),
    ],
    known: ['timestamp'],
  }),
  connections: table('connections', {
    about: 'Connections to providers (specification part 6).',
    key: ['user_id', 'source_provider'],
    columns: [
      sqlColumn('status', 'text'),
      sqlColumn('changed_at', 'timestamptz'),
      sqlColumn('error_type', 'text'),
      sqlColumn('resource_availability', 'jsonb'),
    ],
  }),
  devices: table('devices', {
    about: 'Devices (assumed).',
    columns: [sqlColumn('name', 'text'), sqlColumn('last_sync_at', 'timestamptz')],
    indexes: [['user_id']],
    known: ['provider'],
  }),
  orders: table('orders', {
    about: 'Lab orders with their results (specification 4.12; fields assumed).',
    columns: sqlColumnsOf(Order),
    indexes: [['user_id', 'created_at']],
  }),
  appointments: table('appointments', {
    about: 'Appointments for lab orders (specification 2.6).',
    columns: sqlColumnsOf(Appointment),
    indexes: [['user_id', 'start_at'], ['order_id']],
  }),
  critical_results: table('critical_results', {
    about: "Critical results of lab orders (assumed); the id is the message's id.",
    columns: [sqlColumn('order_id', 'text'), sqlColumn('results', 'jsonb')],
    indexes: [['user_id'], ['order_id']],
  }),
  others: table('others', {
    about: 'Records from data events of other resources (specification part 6).',
    key: ['user_id', 'resource', 'id'],
    columns: [sqlColumn('timestamp', 'timestamptz'), sqlColumn('calendar_date', 'date')],
  }),
} as const satisfies Record<string, SyncTable>

export function listTables(): readonly SyncTable[] {
  return Object.values(syncTables)
}
