import * as z from 'zod/mini'
import type { Fault } from '../../faults/fault.ts'
import { faultSchema } from '../../faults/fault-schema.ts'
import { type ControlOperation, noContent, operation } from '../endpoint.ts'
import { deletionSchema, faultStateSchema } from '../responses.ts'

/** The injected faults. */
export const faults: readonly ControlOperation[] = [
  operation(
    {
      id: 'faults.list',
      method: 'GET',
      path: '/faults',
      summary: 'Lists the faults, each with the number of requests that it affected',
      responses: { 200: z.array(faultStateSchema) },
    },
    ({ faults }) => faults.list(),
  ),
  operation(
    {
      id: 'faults.add',
      method: 'POST',
      path: '/faults',
      summary: 'Adds a fault',
      body: faultSchema,
      responses: { 200: faultStateSchema },
    },
    // `add` checks what a schema cannot express, such as the names of operations.
    ({ faults }, { body }) => faults.add(body as Fault),
  ),
  operation(
    {
      id: 'faults.remove',
      method: 'DELETE',
      path: '/faults/{id}',
      summary: 'Deletes a fault',
      params: { id: z.string() },
      responses: { 200: deletionSchema },
    },
    ({ faults }, { params }) => {
      const fault = faults.list().find(({ id }) => String(id) === params.id)
      fault?.remove()
      return { deleted: fault !== undefined }
    },
  ),
  operation(
    {
      id: 'faults.clear',
      method: 'DELETE',
      path: '/faults',
      summary: 'Deletes every fault',
      responses: noContent,
    },
    ({ faults }) => faults.clear(),
  ),
]
