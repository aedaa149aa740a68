import type { Awaitable } from './awaitable.ts'

/** The values of one row of health data, by column. */
export type HealthValues = Readonly<Record<string, string | number | null>>

/** The steps that prepare health data. */
export interface HealthDataSteps {
  /** Adds rows to a user's data of a resource, such as `sleep`. After that, the resource has no other rows of this user. */
  rows?(userId: string, resource: string, rows: readonly HealthValues[]): Awaitable<unknown>
}
