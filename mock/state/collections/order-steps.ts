import type { OrderStep } from '../../../src/contract/orders.ts'
import { ownValue } from '../../../src/shared/narrow.ts'

/** The statuses of an order in its life, each with the last word of its low-level status (assumption). */
const lastWords: Readonly<Record<string, string>> = {
  received: 'ordered',
  collecting_sample: 'appointment_scheduled',
  completed: 'completed',
  cancelled: 'cancelled',
}

/** The parts of an order that its steps are made of. */
interface OrderState {
  status: string
  collection_method: string
}

/** Returns the step of an order that gets a status, such as `completed.at_home_phlebotomy.completed`; none for a status of a test's own. */
export function stepsOf(
  { status, collection_method }: OrderState,
  created_at: string,
): OrderStep[] {
  const lastWord = ownValue(lastWords, status)
  if (lastWord === undefined) return []
  return [{ status: `${status}.${collection_method}.${lastWord}`, created_at }]
}

/** Returns the step of an order whose requisition form exists. */
export function requisitionStep(
  { status, collection_method }: OrderState,
  created_at: string,
): OrderStep {
  return { status: `${status}.${collection_method}.requisition_created`, created_at }
}
