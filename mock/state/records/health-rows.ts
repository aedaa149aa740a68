import * as z from 'zod/mini'
import { lenient } from '../../../src/contract/schema-tools/schema.ts'
import type { CellValue } from '../../query/table.ts'

const values = z.record(z.string(), z.nullable(z.union([z.number(), z.string()])))

/** One row of a user's health data for aggregate queries and summaries. */
export interface HealthRow {
  /** The row's id, a UUID. */
  id: string
  /** The id of the row's user. */
  user_id: string
  /** A table, such as `sleep`, or a time series, such as `heartrate`. */
  resource: string
  /** The values, keyed by column. Times are local times without an offset, such as `2025-02-17T23:10:00`. */
  values: Readonly<Record<string, CellValue>>
  /** The virtual time of the latest `update`. If absent, events and summaries use the row's time. */
  updated_at?: string
}
export const HealthRow = z.object({
  id: z.string(),
  user_id: z.string(),
  resource: z.string(),
  values,
  updated_at: z.optional(lenient.dateTime),
})

/** A row of health data to create. */
export interface HealthRowInput {
  /** The id, a UUID. Default: random. */
  id?: string
  /** The id of the row's user. */
  user_id: string
  /** A table, such as `sleep`, or a time series, such as `heartrate`. */
  resource: string
  /**
   * The values, keyed by column. Defaults: the virtual time in the user's time zone, an Oura ring as the source, the
   * user's `time_zone` if the provider sends it, and null in all other columns.
   */
  values?: Readonly<Record<string, CellValue>>
}
export const HealthRowInput = z.object({
  id: z.optional(z.string()),
  user_id: z.string(),
  resource: z.string(),
  values: z.optional(values),
})
