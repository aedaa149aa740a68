import * as z from 'zod/mini'
import { Appointment } from '../../../src/contract/appointments.ts'
import { appointmentStatuses } from '../../../src/contract/values/known-values.ts'
import { LabOrder } from '../../state/records/schemas.ts'
import { type ControlOperation, operation } from '../endpoint.ts'

/** The transitions of orders and appointments. */
export const orderTransitions: readonly ControlOperation[] = [
  operation(
    {
      id: 'orders.complete',
      method: 'POST',
      path: '/orders/{id}/complete',
      summary: 'Completes an order with a result for each expected result of its markers',
      params: { id: z.string() },
      body: z.optional(z.object({ critical: z.optional(z.boolean()) })),
      responses: { 200: LabOrder },
    },
    ({ orders }, { params, body }) =>
      orders.complete(params.id, { critical: body?.critical === true }),
  ),
  operation(
    {
      id: 'appointments.transition',
      method: 'POST',
      path: '/appointments/{id}/transition',
      summary: 'Changes the status of an appointment',
      params: { id: z.string() },
      body: z.object({
        status: z.enum(appointmentStatuses),
        changes: z.optional(z.partial(Appointment)),
      }),
      responses: { 200: Appointment },
    },
    ({ appointments }, { params, body }) =>
      // JSON has no fields that are undefined.
      appointments.transition(params.id, body.status, body.changes as Partial<Appointment>),
  ),
]
