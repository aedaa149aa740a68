import type * as z from 'zod/mini'
import { ownFields } from '../../shared/own-fields.ts'
import { type OperationFacts, type OperationId, operationTable } from '../operations.ts'
import type { Endpoint } from './endpoint.ts'

type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never

type ParamsFor<Path extends string> = [PathParameter<Path>] extends [never]
  ? { params?: never }
  : { params: Record<PathParameter<Path>, z.ZodMiniType> }

/** An operation's facts without `serviceWait`, which depends on the body for some endpoints. */
export type EndpointFacts = Omit<OperationFacts, 'serviceWait'>

type EndpointSchemas = Omit<Endpoint, 'id' | keyof EndpointFacts>

/** Defines an operation's endpoint. A path parameter without a schema is a compile error. */
export function endpoint<const Id extends OperationId, const Schemas extends EndpointSchemas>(
  id: Id,
  schemas: Schemas & ParamsFor<(typeof operationTable)[Id]['path']>,
): { id: Id } & EndpointFacts & Schemas {
  const responses = ownFields(schemas.responses)
  return ownFields({ id, ...factsOf(id), ...schemas, responses })
}

export function factsOf(id: OperationId): EndpointFacts {
  const { serviceWait: _, ...facts }: OperationFacts = operationTable[id]
  return facts
}
