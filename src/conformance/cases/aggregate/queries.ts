import { assertSuccess, assertThat } from '../../assertions.ts'
import type { ReadResponse } from '../../operations.ts'
import type { TestedService } from '../../service.ts'
import { fieldOf } from '../../shape.ts'

export type ResultTable = Record<string, unknown[]>
type Fields = Record<string, unknown>

export const archiveMediaType = 'application/vnd.service.tar+gzip+parquet'

export function pastTimeframe(
  value: unknown,
  unit: unknown = 'day',
  anchor: unknown = '2025-05-31',
) {
  return { type: 'relative', anchor, past: { unit, value } }
}

/** @param select Functions with their sleep columns, such as `mean duration_second`. */
export function queryOf(select: readonly string[], changes: Fields = {}): Fields {
  return {
    select: select.map((column) => {
      const [func = '', name = ''] = column.split(' ')
      return { arg: { sleep: name }, func }
    }),
    group_by: [by('day')],
    ...changes,
  }
}

export function by(unit: unknown, value: unknown = 1, resource = 'sleep') {
  return { date_trunc: { unit, value }, arg: { index: resource } }
}

export function request(queries: unknown, changes: Fields = {}): Fields {
  return { timeframe: pastTimeframe(30), queries, ...changes }
}

/**
 * Checks the assumption that queries can use the sleep columns and the unit `day`. The request has a config and an
 * accept header, so the cases also run for a service that wrongly requires them.
 */
export async function presumeColumns(service: TestedService, user: string): Promise<void> {
  const select = [...funcs('duration_second'), ...funcs('score')].map((column) => [column])
  const config = { provider_priority_overrides: ['oura'] }
  const queries = select.map((columns) => queryOf(columns))
  const accept = 'application/json'
  const { status } = await send(service, user, request(queries, { config }), { accept })
  const isKnown = status < 400 || status >= 500
  service.presume(isKnown, 'sleep has the columns session_end, duration_second and score')
}

export function funcs(column: string): string[] {
  return documented.map((func) => `${func} ${column}`)
}

export const documented = ['mean', 'min', 'max', 'newest']

export function send(
  service: TestedService,
  user_id: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<ReadResponse> {
  return service.call('aggregate.query', { params: { user_id }, body, headers })
}

export function readTables(response: ReadResponse, count?: number): ResultTable[] {
  const results = fieldOf(assertSuccess(response).json, 'results')
  assertThat(Array.isArray(results), 'Expected results to be an array.')
  if (count !== undefined) {
    assertThat(
      results.length === count,
      `Expected one result per query (${count}), but found ${results.length}.`,
    )
  }
  return results.map((result) => readTable(fieldOf(result, 'table')))
}

function readTable(table: unknown): ResultTable {
  const isTable = typeof table === 'object' && table !== null && !Array.isArray(table)
  assertThat(isTable, 'Expected every result to have a table.')
  assertThat(hasLists(table), 'Expected every column of a table to be an array.')
  const lengths = new Set(Object.values(table).map(({ length }) => length))
  assertThat(lengths.size <= 1, 'Expected the columns of a table to have the same length.')
  return table
}

function hasLists(table: object): table is ResultTable {
  return Object.values(table).every(Array.isArray)
}

export async function queryTables(
  service: TestedService,
  user_id: string,
  queries: readonly unknown[],
  changes: Fields = {},
): Promise<ResultTable[]> {
  return readTables(await send(service, user_id, request(queries, changes)), queries.length)
}
