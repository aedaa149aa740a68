import type { OrderStep } from '../../../src/contract/orders.ts'
import { ownValue } from '../../../src/shared/narrow.ts'

/** The last part of the low-level status, for each order status (assumption). */
const lastWords: Readonly<Record<string, string>> = {
  received: 'ordered',
  collecting_sample: 'appointment_scheduled',
  completed: 'completed',
  cancelled: 'cancelled',
}

interface OrderState {
  status: string
  collection_method: string
}

/** Returns the step for an order's status, or none for an unknown status. */
export function stepsOf(
  { status, collection_method }: OrderState,
  created_at: string,
): OrderStep[] {
  const lastWord = ownValue(lastWords, status)
  if (lastWord === undefined) return []
  return [{ status: `${status}.${collection_method}.${lastWord}`, created_at }]
}

export function requisitionStep(
  { status, collection_method }: OrderState,
  created_at: string,
): OrderStep {
  return { status: `${status}.${collection_method}.requisition_created`, created_at }
}
