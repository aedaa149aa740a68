import { proxyActivities } from '@temporalio/workflow'
import type { DurableWrites } from 'health-lab-sdk/durable'

/** Returns the activities to register with the worker. */
export function bookingActivities(writes: DurableWrites) {
  return {
    async book(id: string, orderId: string, slot: string) {
      const booking = { booking_key: slot, async_confirmation: true }
      const visit = await writes.orders.bookAndWait(id, orderId, booking)
      return visit.result
    },
  }
}

/** Books a visit. In your program, workflows are in a separate file. */
export function bookVisit(id: string, orderId: string, slot: string) {
  const { book } = proxyActivities<ReturnType<typeof bookingActivities>>({
    startToCloseTimeout: '20 minutes',
    retry: { maximumAttempts: 5 },
  })
  return book(id, orderId, slot)
}
