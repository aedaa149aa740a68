import {
  type AggregateResult,
  parquetMediaType,
  queryAggregate,
  queryParquet,
} from '../../src/contract/aggregate.ts'
import { forbidden, Refusal, unprocessable } from '../base/refusal.ts'
import { ServiceResponse } from '../base/response.ts'
import { type RouteRequest, route } from '../http/route.ts'
import { withPackage } from '../node/missing-package.ts'
import type { QueryError, ResultColumn } from '../query/engine.ts'
import type { World } from '../state/world.ts'

export const aggregate = [
  route(queryAggregate, async (request, world): Promise<AggregateResult> => {
    checkEnabled(world)
    checkAccept(request.headers.accept ?? '*/*')
    const answers = await answersOf(request, world)
    return { results: answers.map((columns) => ({ table: tableOf(columns) })) }
  }),

  route(queryParquet, async (request, world) => {
    checkEnabled(world)
    const { parquetArchive } = await parquet()
    return new ServiceResponse(
      200,
      await parquetArchive(await answersOf(request, world)),
      parquetMediaType,
    )
  }),
]

/** Loaded at the first use: most suites need no writer of Parquet. */
function parquet() {
  return withPackage('Parquet from the mock', import('../query/parquet.ts'))
}

/** The columns of each query's answer, in the order of the queries. Most suites ask none, so the engine comes late. */
async function answersOf({ params, body }: RouteRequest<typeof queryAggregate>, world: World) {
  const { user_id } = world.user(params.user_id)
  const { QueryError, runQueries } = await import('../query/engine.ts')
  try {
    return runQueries(body, (resource) => world.data.table(user_id, resource))
  } catch (error) {
    throw error instanceof QueryError ? unprocessable(detailsOf(error)) : error
  }
}

function detailsOf({ issues }: QueryError) {
  return issues.map(({ loc, message }) => ({
    type: 'value_error',
    loc: ['body', ...loc],
    msg: message,
    input: null,
  }))
}

function tableOf(columns: ResultColumn[]) {
  return Object.fromEntries(columns.map(({ name, values }) => [name, values]))
}

function checkEnabled({ settings }: World): void {
  if (!settings.aggregate) throw forbidden('Aggregate queries are not enabled for this team')
}

/** The media types of specification 4.11, each with or without parameters. */
function checkAccept(accept: string): void {
  const asked = accept.split(',').map((type) => type.split(';')[0]?.trim().toLowerCase())
  if (asked.some((type) => type === '' || type === '*/*' || type === 'application/json')) return
  throw new Refusal(
    406,
    `Expected an accept header of */*, application/json or ${parquetMediaType}`,
  )
}
