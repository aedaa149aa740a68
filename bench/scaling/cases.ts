import { clientCases } from './cases/client.ts'
import { clockCases } from './cases/clock.ts'
import { controlCases } from './cases/controls.ts'
import { eventCases } from './cases/events.ts'
import { importCases } from './cases/imports.ts'
import { queryCases } from './cases/queries.ts'
import { recordCases } from './cases/records.ts'
import type { ScalingCase } from './scaling-case.ts'

const groups = {
  clock: clockCases,
  records: recordCases,
  imports: importCases,
  events: eventCases,
  queries: queryCases,
  client: clientCases,
  control: controlCases,
}

/** Keyed by names such as `clock.advance`. */
export const scalingCases: ReadonlyMap<string, ScalingCase> = new Map(
  Object.entries(groups).flatMap(([group, cases]) =>
    Object.entries(cases).map(([name, found]) => [`${group}.${name}`, found] as const),
  ),
)
