import type { Appointment } from '../../../src/contract/appointments.ts'
import type { Orders } from '../collections/orders.ts'
import type { LabOrder } from '../records/orders.ts'

/**
 * Updates an order's status after its latest appointment's status has changed (assumption). An appointment that is
 * cancelled before its confirmation does not change the order, because no visit was scheduled. A completed order stays
 * completed.
 */
export function moveOrder({ id, order_id, status }: Appointment, orders: Orders): void {
  const order = orders.get(order_id)
  if (order?.appointment_id !== id || staysEnded(order, status)) return
  if (status === 'completed') orders.complete(order_id)
  const next = nextStatus(status, order)
  if (next && next !== order.status) orders.update(order_id, { status: next })
}

/** Whether an order stays completed, or stays cancelled because no new appointment was confirmed. */
function staysEnded(order: LabOrder, appointmentStatus: string): boolean {
  const [ended] = /^(?:completed|cancelled)\b/.exec(order.status) ?? []
  return ended === 'completed' || (ended === 'cancelled' && appointmentStatus !== 'confirmed')
}

function nextStatus(status: string, order: LabOrder): string | undefined {
  if (status === 'confirmed' || status === 'in_progress') return 'collecting_sample'
  const wasScheduled = order.status === 'collecting_sample'
  return status === 'cancelled' && wasScheduled ? 'cancelled' : undefined
}
