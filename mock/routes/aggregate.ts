import { type AggregateResult, queryAggregate, queryParquet } from '../../src/contract/aggregate.ts'
import { isKnown } from '../../src/contract/values/known-values.ts'
import { parquetMediaType } from '../../src/contract/wire.ts'
import { withPackage } from '../errors.ts'
import { forbidden, HttpError, unprocessable } from '../http/http-error.ts'
import { preferredType } from '../http/media-types.ts'
import { ServiceResponse } from '../http/response.ts'
import { type RouteRequest, route } from '../http/route.ts'
import type { QueryError, ResultColumn } from '../query/engine.ts'
import type { Table } from '../query/table.ts'
import { Slices } from '../shared/slices.ts'
import { queryResources, rowsTable } from '../state/health/health-rows.ts'
import { rowTime } from '../state/health/health-time.ts'
import type { World } from '../state/world.ts'

export const aggregateRoutes = [
  route(queryAggregate, async (request, world): Promise<AggregateResult> => {
    checkAccept(request.headers.accept ?? '*/*')
    const results = await computeColumns(request, world)
    return { results: results.map((columns) => ({ table: toResultTable(columns) })) }
  }),

  route(queryParquet, async (request, world) => {
    const results = await computeColumns(request, world)
    const { parquetArchive } = await parquet()
    return new ServiceResponse(200, await parquetArchive(results), parquetMediaType)
  }),
]

/** Loads the Parquet writer on first use, because most test suites do not need it. */
function parquet() {
  return withPackage('Parquet from the mock', import('../query/parquet.ts'))
}

/** Runs the queries. Loads the engine on first use, because most test suites do not need it. */
async function computeColumns(
  { params, body, signal }: RouteRequest<typeof queryAggregate>,
  world: World,
) {
  const { user_id } = params
  const refusal = refusalOf(user_id, world)
  const slices = new Slices(signal, world.clock.interruption)
  const engine = await import('../query/engine.ts')
  try {
    const { providerPriority, sourcePriority } = world.settings
    const results = await engine.runQueries(
      body,
      async (resource, timeframe) => {
        if (refusal) return isKnown(queryResources, resource) ? rowsTable(resource, []) : undefined
        await world.data.prepare(user_id, resource, slices, timeframe)
        const table = world.data.table(user_id, resource, timeframe)
        return table && withMoments(table, { user_id, resource }, world)
      },
      sourcePriority === 'best_source' ? providerPriority : undefined,
      slices,
    )
    if (refusal) throw refusal
    return results
  } catch (error) {
    throw error instanceof engine.QueryError ? unprocessable(toDetails(error)) : error
  }
}

/** Returns the request's 403 or 404 error, if any. The error is sent only if the queries are valid. */
function refusalOf(userId: string, world: World): HttpError | undefined {
  try {
    if (!world.settings.aggregate) {
      throw forbidden('Aggregate queries are not enabled for this team')
    }
    world.user(userId)
    return undefined
  } catch (error) {
    if (error instanceof HttpError) return error
    throw error
  }
}

/** Adds `momentAt` to a table, so its times match the times in events and summaries. */
function withMoments(
  table: Table,
  about: { user_id: string; resource: string },
  world: World,
): Table {
  const momentAt = (column: string, row: number) =>
    rowTime({ ...about, table, row }, world.data).moment(column)
  return { ...table, momentAt }
}

function toDetails({ issues }: QueryError) {
  return issues.map(({ loc, message }) => ({
    type: 'value_error',
    loc: ['body', ...loc],
    msg: message,
    input: null,
  }))
}

function toResultTable(columns: ResultColumn[]) {
  return Object.fromEntries(columns.map(({ name, values }) => [name, values]))
}

/** Accepts the media types listed in specification 4.11, with or without parameters. */
function checkAccept(accept: string): void {
  if (preferredType(accept, ['application/json', parquetMediaType])) return
  throw new HttpError(
    406,
    `Expected an accept header of */*, application/json or ${parquetMediaType}`,
  )
}
