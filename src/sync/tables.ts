import { Appointment } from '../contract/appointments.ts'
import { Order } from '../contract/orders.ts'
import { ActivitySummary } from '../contract/summary-records/activity.ts'
import { BodySummary } from '../contract/summary-records/body.ts'
import { MealSummary } from '../contract/summary-records/meal.ts'
import { ProfileSummary } from '../contract/summary-records/profile.ts'
import { SleepSummary } from '../contract/summary-records/sleep.ts'
import { WorkoutSummary } from '../contract/summary-records/workout.ts'
import { type Column, columnOf, columnsOf } from './columns.ts'

/** A table with records. */
export interface Table {
  readonly name: string
  /** What a row is, with the section of the specification. */
  readonly about: string
  /** The columns of the primary key. */
  readonly key: readonly string[]
  /** The columns with fields of the records. */
  readonly columns: readonly Column[]
  /** The columns of the indexes for the usual questions. */
  readonly indexes: readonly (readonly string[])[]
  /** The fields of a record that are known, besides those of the columns. */
  readonly known: readonly string[]
}

type Facts = Pick<Table, 'about' | 'columns'> & Partial<Table>

function table(name: string, { key = ['id'], indexes = [], known = [], ...facts }: Facts): Table {
  return { name, key, indexes, known, ...facts }
}

const byDay = [['user_id', 'calendar_date']]

/** The tables with records, by name. */
export const tables = {
  sleep: table('sleep', {
    about: 'Sleep sessions (specification 2.9; fields and units assumed).',
    columns: columnsOf(SleepSummary),
    indexes: byDay,
  }),
  activity: table('activity', {
    about: 'The activity of days (specification 2.9; fields and units assumed).',
    columns: columnsOf(ActivitySummary),
    indexes: byDay,
  }),
  workouts: table('workouts', {
    about: 'Workouts (specification 2.9; fields and units assumed).',
    columns: columnsOf(WorkoutSummary),
    indexes: [...byDay, ['user_id', 'time_start']],
  }),
  body: table('body', {
    about: 'Measurements of the body (specification 2.9; fields and units assumed).',
    columns: columnsOf(BodySummary),
    indexes: byDay,
  }),
  profile: table('profile', {
    about: 'Profiles (specification 2.9).',
    columns: columnsOf(ProfileSummary),
    indexes: [['user_id']],
  }),
  meals: table('meals', {
    about: 'Meals (specification 2.9; fields and units assumed; macronutrients in grams).',
    columns: columnsOf(MealSummary),
    indexes: [...byDay, ['user_id', 'timestamp']],
  }),
  sleep_cycles: table('sleep_cycles', {
    about: 'The stages of sleep sessions (specification part 6; fields assumed).',
    columns: [
      columnOf('sleep_id', 'text'),
      columnOf('calendar_date', 'date'),
      columnOf('session_start', 'timestamptz'),
      columnOf('session_end', 'timestamptz'),
      columnOf('timezone_offset', 'double precision'),
      columnOf('stage_start_offset_second', 'jsonb'),
      columnOf('stage_end_offset_second', 'jsonb'),
      columnOf('stage_type', 'jsonb'),
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
      columnOf('start', 'timestamptz'),
      columnOf('end', 'timestamptz'),
      columnOf('timezone_offset', 'double precision'),
      columnOf('type', 'text'),
      columnOf('unit', 'text'),
      columnOf('value', 'double precision'),
      { name: 'value_text', type: 'text', path: ['value'] },
      columnOf('systolic', 'double precision'),
      columnOf('diastolic', 'double precision'),
      columnOf('tags', 'jsonb'),
      columnOf('sensor_location', 'text'),
      columnOf('intensity', 'text'),
      columnOf('delivery_mode', 'text'),
      columnOf('delivery_form', 'text'),
      columnOf('bolus_purpose', 'text'),
    ],
    known: ['timestamp'],
  }),
  connections: table('connections', {
    about: 'Connections to providers (specification part 6).',
    key: ['user_id', 'source_provider'],
    columns: [
      columnOf('status', 'text'),
      columnOf('changed_at', 'timestamptz'),
      columnOf('error_type', 'text'),
      columnOf('resource_availability', 'jsonb'),
    ],
  }),
  devices: table('devices', {
    about: 'Devices (assumed).',
    columns: [columnOf('name', 'text'), columnOf('last_sync_at', 'timestamptz')],
    indexes: [['user_id']],
    known: ['provider'],
  }),
  orders: table('orders', {
    about: 'Lab orders with their results (specification 4.12; fields assumed).',
    columns: columnsOf(Order),
    indexes: [['user_id', 'created_at']],
  }),
  appointments: table('appointments', {
    about: 'Appointments for lab orders (specification 2.6).',
    columns: columnsOf(Appointment),
    indexes: [['user_id', 'start_at'], ['order_id']],
  }),
  critical_results: table('critical_results', {
    about: 'Critical results of lab orders (assumed); the id is that of the message.',
    columns: [columnOf('order_id', 'text'), columnOf('results', 'jsonb')],
    indexes: [['user_id'], ['order_id']],
  }),
  others: table('others', {
    about: 'Records of data events of other resources (specification part 6).',
    key: ['user_id', 'resource', 'id'],
    columns: [columnOf('timestamp', 'timestamptz'), columnOf('calendar_date', 'date')],
  }),
} as const satisfies Record<string, Table>

/** The name of a table with records. */
export type TableName = keyof typeof tables

/** Returns the tables with records. */
export function listTables(): readonly Table[] {
  return Object.values(tables)
}
