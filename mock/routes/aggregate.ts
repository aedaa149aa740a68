import {
  type AggregateResult,
  parquetMediaType,
  queryAggregate,
  queryParquet,
} from '../../src/contract/aggregate.ts'
import { answerQueries } from '../query.ts'
import { forbidden, Refusal } from '../refusal.ts'
import { type RouteRequest, route } from '../route.ts'
import type { World } from '../world.ts'

export const aggregate = [
  route(queryAggregate, (request, world): AggregateResult => {
    checkEnabled(world)
    checkAccept(request.headers.get('accept') ?? '*/*')
    return { results: results(request, world) }
  }),

  route(queryParquet, (_, world) => {
    checkEnabled(world)
    throw new Refusal(406, 'This version of the mock does not answer Parquet')
  }),
]

function results({ params, body }: RouteRequest<typeof queryAggregate>, world: World) {
  const { user_id } = world.user(params.user_id)
  return answerQueries(body, world.random.fork(`health/${user_id}`))
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
