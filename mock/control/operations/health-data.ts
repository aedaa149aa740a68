import * as z from 'zod/mini'
import { queryAggregate } from '../../../src/contract/aggregate.ts'
import { MockError } from '../../errors.ts'
import { loadRoutes } from '../../load-routes.ts'
import { type ControlOperation, operation } from '../endpoint.ts'

/** Reads health data like the service, so that a page can show it without a trace in the journal. */
export const healthData: ControlOperation = operation(
  {
    id: 'users.aggregate',
    isUnrecorded: true,
    method: 'POST',
    path: '/users/{user_id}/aggregate',
    summary:
      'Returns the result of an aggregate query; it is in no journal, and no fault applies to it',
    params: { user_id: z.string() },
    body: queryAggregate.body,
    responses: { 200: queryAggregate.responses[200] },
  },
  async ({ users, state: world }, { params, body }) => {
    // The service would create the user.
    if (!users.has(params.user_id)) throw new MockError('unknown_record', 'No user has this key.')
    const routeOf = await loadRoutes()
    const { run } = routeOf({ endpoint: queryAggregate })
    const context = { request: { headers: {}, signal: undefined }, world, entry: { number: 0 } }
    return (await run({ params, query: {}, body }, context)).body
  },
)
