import { Queue, Worker } from 'bullmq'
import type { ServiceClient } from 'health-lab-sdk'
import { durable } from 'health-lab-sdk/durable'
import { redisStore } from 'health-lab-sdk/stores'
import type { Redis } from 'ioredis'

/** Runs bookings as BullMQ jobs, in any number of processes. */
export function startBookings(client: ServiceClient, connection: Redis) {
  const writes = durable(client, { store: redisStore(connection) })
  const queue = new Queue('bookings', { connection })
  const book = (id: string, data: { orderId: string; slot: string }) =>
    queue.add('book', data, { jobId: id, attempts: 5, backoff: 60_000 })
  const worker = new Worker(
    'bookings',
    async ({ id = '', data }) => {
      const booking = { booking_key: data.slot, async_confirmation: true }
      const visit = await writes.orders.bookAndWait(id, data.orderId, booking)
      return visit.result
    },
    { connection, concurrency: 20, limiter: { max: 50, duration: 1_000 }, maxStalledCount: 20 },
  )
  return { book, queue, worker }
}
