import { isObject } from '../../../src/shared/narrow.ts'
import type { ExchangeResult } from '../../faults/effects.ts'
import { ServiceResponse, serializeResponse } from '../../http/response.ts'
import { mapValues } from '../../shared/lists.ts'
import type { MockOptions } from '../../state/defaults.ts'
import type { Team } from '../../team.ts'
import { emptyFirstPage, emptyPages, movedRecords, pagedOperations, pageSizes } from './pages.ts'
import { type FaultFacts, type FaultPoint, nameFaults } from './plan.ts'
import { withFault } from './request-faults.ts'
import { extremeNumber, rewriteBody } from './rewrite.ts'
import type { FaultyRequest } from './slow-work.ts'

/** A variation that the specification allows, applied to an entire run. */
export interface EnvironmentChoice extends FaultFacts {
  /** The rank, starting at 1. Likely variations have low ranks and are tested first. */
  rank: number
  /** Returns whether the variation affects a program with these requests and events. */
  isFor(points: readonly FaultPoint[]): boolean
  mock?: MockOptions
  /** Changes the team after `setup`. */
  prepare?(team: Team): void
  handler?(): (request: FaultyRequest) => Promise<ExchangeResult>
}

export const environmentChoices = nameFaults<EnvironmentChoice>({
  removals: {
    rank: 2,
    text: 'the fields and operations that part 9 of the specification deprecates are removed',
    isFor: hasDeprecated,
    mock: { deprecatedFields: 'never' },
    handler: () => withoutDeprecated,
  },
  small_pages: {
    rank: 2,
    text: 'each page of a list has at most two records',
    isFor: hasPages,
    handler: () => pageSizes([2]),
  },
  changing_pages: {
    rank: 3,
    text: 'in cursor-paginated lists, the pages have at most 3, 1 and 2 records in turn',
    isFor: hasCursors,
    handler: () => pageSizes([3, 1, 2], cursorLists),
  },
  empty_pages: {
    rank: 3,
    text: 'in cursor-paginated lists, an empty page follows each page, including the last one',
    isFor: hasCursors,
    handler: () => emptyPages,
  },
  empty_first_page: {
    rank: 3,
    text: 'the first page of lab tests is empty',
    isFor: (points) => hasRequest(points, ['labTests.list']),
    handler: () => emptyFirstPage,
  },
  growing_lists: {
    rank: 3,
    text: 'a record is added to the catalogue before each subsequent page',
    judgement: 'tolerance',
    isFor: hasPages,
    handler: () => growList,
  },
  shrinking_lists: {
    rank: 3,
    text: 'a catalogue record is deleted before each subsequent page',
    judgement: 'rules',
    isFor: hasPages,
    handler: () => shrinkList,
  },
  moved_records: {
    rank: 3,
    text: 'the last record of each page is also on the next page',
    judgement: 'tolerance',
    isFor: hasPages,
    handler: movedRecords,
  },
  null_cells: {
    rank: 2,
    text: 'every other row of a query result contains only nulls',
    judgement: 'tolerance',
    isFor: hasQueries,
    handler: () => changeTables((values) => values.map((value, row) => (row % 2 ? value : null))),
  },
  no_rows: {
    rank: 2,
    text: 'query results have no rows',
    judgement: 'tolerance',
    isFor: hasQueries,
    handler: () => changeTables(() => []),
  },
  column_order: {
    rank: 3,
    text: 'the columns of query results are in a different order',
    isFor: hasQueries,
    handler: () => reverseColumns,
  },
  nulls: {
    rank: 3,
    text: 'every nullable field of a response is null',
    judgement: 'tolerance',
    isFor: hasRequests,
    handler: () => withFault({ drift: 'nulls' }),
  },
  missing_fields: {
    rank: 3,
    text: 'every optional field of a response is missing',
    judgement: 'tolerance',
    isFor: hasRequests,
    handler: () => withFault({ drift: 'missing_fields' }),
  },
  shift_workers: {
    rank: 3,
    text: 'users work shifts and often sleep during the day',
    isFor: hasHealthData,
    mock: { persona: 'shift_worker' },
  },
  new_parents: {
    rank: 3,
    text: 'users wake at night and nap during the day, so a day can contain several sleep sessions',
    isFor: hasHealthData,
    mock: { persona: 'new_parent' },
  },
  zone_west: {
    rank: 2,
    text: 'users live in Los Angeles, where it is evening',
    isFor: hasHealthData,
    mock: { timeZone: 'America/Los_Angeles', now: '2025-06-02T04:30:00Z' },
  },
  zone_east: {
    rank: 2,
    text: 'users live in Auckland, where it is morning',
    isFor: hasHealthData,
    mock: { timeZone: 'Pacific/Auckland', now: '2025-06-01T20:30:00Z' },
  },
  summer_time: {
    rank: 3,
    text: 'users live in Berlin, where summer time began last night',
    isFor: hasHealthData,
    mock: { timeZone: 'Europe/Berlin', now: '2025-03-30T09:00:00Z' },
  },
  winter_time: {
    rank: 3,
    text: 'users live in Berlin, where summer time ended last night',
    isFor: hasHealthData,
    mock: { timeZone: 'Europe/Berlin', now: '2025-10-26T09:00:00Z' },
  },
  leap_day: {
    rank: 3,
    text: 'it is 29 February 2028',
    isFor: hasHealthData,
    mock: { now: '2028-02-29T22:30:00Z' },
  },
  month_end: {
    rank: 3,
    text: 'it is the last evening of the year',
    isFor: hasHealthData,
    mock: { now: '2025-12-31T23:30:00Z' },
  },
  other_prices: {
    rank: 2,
    text: 'lab tests cost 0.29, 0 or 1005.35, and their names are long or contain non-ASCII characters',
    isFor: hasCatalogue,
    prepare: changeCatalogue,
  },
  other_seed: {
    rank: 3,
    text: 'a different seed generates the records, people and health data',
    isFor: hasRequests,
    mock: { seed: 'other' },
  },
  extreme_cells: {
    rank: 3,
    text: 'numbers in query results are zero, negative or very large, or have many decimal places',
    judgement: 'tolerance',
    isFor: hasQueries,
    handler: () => changeTables((values) => values.map(extremeNumber)),
  },
})

const cursorLists = ['labTests.list', 'link.listBulkOps']

const queries = ['aggregate.query']

type Points = Parameters<EnvironmentChoice['isFor']>[0]

function hasRequests(points: Points): boolean {
  return points.some(({ kind }) => kind === 'request')
}

function hasRequest(points: Points, operations: readonly string[]): boolean {
  return points.some(({ kind, name }) => kind === 'request' && operations.includes(name))
}

function hasPages(points: Points): boolean {
  return hasRequest(points, Object.keys(pagedOperations))
}

function hasCursors(points: Points): boolean {
  return hasRequest(points, cursorLists)
}

function hasQueries(points: Points): boolean {
  return hasRequest(points, queries)
}

/** Returns whether any point belongs to an area with features that part 9 deprecates. */
function hasDeprecated(points: Points): boolean {
  const names = /^(?:orders|labTests\.listAll|summaries|daily|historical|provider|labtest)\b/
  return points.some(({ name }) => names.test(name))
}

function hasCatalogue(points: Points): boolean {
  return points.some(({ name }) => name.startsWith('labTests.'))
}

function hasHealthData(points: Points): boolean {
  const names = /^(?:aggregate\.|summaries\.|(?:daily|historical)\.(?:data|timeseries)\.)/
  return points.some(({ name }) => names.test(name))
}

/**
 * Rejects requests that use features deprecated in part 9. The `deprecatedFields` option removes the deprecated fields
 * from responses and events.
 */
async function withoutDeprecated({ operation, text: read, handle }: FaultyRequest) {
  const text = await read()
  if (operation === 'labTests.listAll') return reject(404)
  const isOld = operation === 'orders.create' && /"lab_test_id"\s*:/.test(text ?? '')
  return isOld && !/"order_set"\s*:\s*\{/.test(text ?? '') ? reject(422) : handle({ text })
}

function reject(status: number): ExchangeResult {
  return serializeResponse(new ServiceResponse(status, { detail: 'Removed (part 9)' }), '')
}

async function growList({ team, operation, search, handle }: FaultyRequest) {
  const isFurther = search.has('next_cursor') || Number(search.get('page') ?? 1) > 1
  if (isFurther && operation === 'labTests.list') team.catalogue.labTests.create()
  else if (isFurther && operation.endsWith('Markers')) team.catalogue.markers.create()
  return handle()
}

async function shrinkList({ team, operation, search, handle }: FaultyRequest) {
  const { labTests, markers } = team.catalogue
  const isFurther = search.has('next_cursor') || Number(search.get('page') ?? 1) > 1
  const [test] = isFurther && operation === 'labTests.list' ? labTests.list() : []
  const [marker] = isFurther && operation.endsWith('Markers') ? markers.list() : []
  if (test) labTests.delete(test.id)
  if (marker) markers.delete(marker.id)
  return handle()
}

function changeTables(change: (values: unknown[]) => unknown[]) {
  return rewriteTables((table) =>
    mapValues(table, (values) => (Array.isArray(values) ? change(values) : values)),
  )
}

const reverseColumns = rewriteTables((table) => Object.fromEntries(Object.entries(table).reverse()))

function rewriteTables(rewrite: (table: Record<string, unknown>) => unknown) {
  return async ({ operation, handle }: FaultyRequest) => {
    const result = await handle()
    if (!queries.includes(operation)) return result
    return rewriteBody(result, (body) => ({
      ...body,
      results: [body['results']].flat().map((item) => {
        if (!isObject(item) || !isObject(item['table'])) return item
        return { ...item, table: rewrite(item['table']) }
      }),
    }))
  }
}

const prices = [0.29, 0, 1005.35]

const testNames = ['Ünïcode 検査 ☂', 'A '.repeat(200).trim()]

function changeCatalogue({ catalogue: { labTests } }: Team): void {
  for (const [place, { id }] of labTests.list().entries()) {
    const price = prices[place % prices.length] ?? 0
    const name = testNames[place % testNames.length] ?? ''
    labTests.update(id, { price, name })
  }
}
