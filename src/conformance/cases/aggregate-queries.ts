import { assertRejected, assertSuccess, assertThat } from '../assertions.ts'
import { queryAggregate } from '../operations.ts'
import { aggregateBody } from '../request-bodies.ts'
import type { ReadResponse } from '../response.ts'
import type { TestedService } from '../service.ts'
import { fieldOf, isObject } from '../shape.ts'

type ResultTable = Record<string, unknown[]>

export const assumedColumns = 'the resource sleep has the column duration_second; the unit day'

export async function sendQuery(
  service: TestedService,
  body: unknown,
  headers = {},
): Promise<ReadResponse> {
  const params = { user_id: await service.user() }
  return service.call(queryAggregate, { params, body, headers })
}

/** Returns the tables of a response and checks that their columns have the same length. */
export function readTables(response: ReadResponse): ResultTable[] {
  const results = fieldOf(assertSuccess(response).json, 'results')
  assertThat(Array.isArray(results), 'Expected results to be an array.')
  return results.map((result) => {
    const table = fieldOf(result, 'table')
    assertThat(isObject(table), 'Expected every result to have a table.')
    const lengths = Object.values(table).map((column) => Array.isArray(column) && column.length)
    assertThat(!lengths.includes(false), 'Expected every column of a table to be an array.')
    assertThat(
      new Set(lengths).size <= 1,
      'Expected the columns of a table to have the same length.',
    )
    return table as ResultTable
  })
}

export async function queryTables(
  service: TestedService,
  queries: unknown[],
  changes = {},
): Promise<ResultTable[]> {
  return readTables(await sendQuery(service, aggregateBody(queries, changes)))
}

export async function assertQueryRejected(
  service: TestedService,
  body: unknown,
  input: string,
): Promise<void> {
  assertRejected(await sendQuery(service, body), input)
}

export const pastDays = (value: unknown, unit = 'day') => ({
  timeframe: { type: 'relative', anchor: '2025-05-31', past: { unit, value } },
})
