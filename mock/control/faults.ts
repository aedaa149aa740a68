import * as z from 'zod/mini'
import type { Fault } from '../faults/fault.ts'
import { type ControlOperation, operation } from './endpoint.ts'
import { anything, instant } from './values.ts'

const FaultInput = z.object({
  on: z.optional(z.string()),
  when: z.optional(anything),
  during: z.optional(z.object({ from: z.optional(instant), until: z.optional(instant) })),
  then: z.union([z.string(), anything]),
})
const FaultState = z.object({ id: z.int(), used: z.int(), fault: FaultInput })

/** Breaking things, and mending them. */
export const faults: readonly ControlOperation[] = [
  operation(
    {
      id: 'faults.list',
      method: 'GET',
      path: '/faults',
      summary: 'Lists the faults, and how many requests each has met',
      responses: { 200: z.array(FaultState) },
    },
    ({ faults }) => faults.list(),
  ),
  operation(
    {
      id: 'faults.add',
      method: 'POST',
      path: '/faults',
      summary: 'Adds a fault',
      body: FaultInput,
      responses: { 200: FaultState },
    },
    // What could never happen is refused there.
    ({ faults }, { body }) => faults.add(body as Fault),
  ),
  operation(
    {
      id: 'faults.remove',
      method: 'DELETE',
      path: '/faults/{id}',
      summary: 'Takes a fault back, if there is one',
      params: { id: z.string() },
      responses: { 200: z.object({ deleted: z.boolean() }) },
    },
    ({ faults }, { params }) => {
      const fault = faults.list().find((added) => String(added.id) === params.id)
      fault?.remove()
      return { deleted: fault !== undefined }
    },
  ),
  operation(
    {
      id: 'faults.clear',
      method: 'DELETE',
      path: '/faults',
      summary: 'Takes every fault back',
      responses: { 204: z.undefined() },
    },
    ({ faults }) => faults.clear(),
  ),
]
