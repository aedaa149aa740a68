import * as z from 'zod/mini'
import { faultSchema } from '../../faults/fault-schema.ts'
import type { ControlOperation } from '../operation.ts'
import { deletionSchema } from '../operation.ts'

export const listedFaultSchema = z.object({ id: z.int(), useCount: z.int(), fault: faultSchema })

export const faults = {
  'faults.list': {
    summary: 'Lists the faults, each with the number of requests that it affected',
    output: z.array(listedFaultSchema),
  },
  'faults.add': { summary: 'Adds a fault', body: faultSchema, output: listedFaultSchema },
  'faults.remove': { summary: 'Deletes a fault', output: deletionSchema },
  'faults.clear': { summary: 'Deletes every fault' },
} satisfies Record<string, ControlOperation>
