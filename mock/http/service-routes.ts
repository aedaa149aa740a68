import type { Endpoint } from '../../src/contract/schema/endpoint.ts'
import { summaryResources } from '../../src/contract/values/known-values.ts'
import { type OperationId, operationFacts } from '../../src/contract/values/operation-facts.ts'
import { parquetMediaType } from '../../src/contract/wire.ts'

/** What finds the route of a request: its endpoint without schemas, which are loaded with its handler. */
export interface ServiceRoute {
  endpoint: Pick<Endpoint, 'method' | 'path' | 'accept'> & { id: OperationId }
}

/** Every route of the service, in the order of the specification. */
export const serviceRoutes: readonly ServiceRoute[] = operationIds().flatMap((id) => {
  const { method, path } = operationFacts[id]
  const paths =
    id === 'summaries.list'
      ? summaryResources.map((resource) => path.replace('{resource}', resource))
      : [path]
  const accept = id === 'aggregate.queryParquet' ? { accept: parquetMediaType } : {}
  return paths.map((each) => ({ endpoint: { id, method, path: each, ...accept } }))
})

function operationIds(): OperationId[] {
  // The keys of the table are the ids.
  return Object.keys(operationFacts) as OperationId[]
}
