import type { OrderInput, ServiceClient } from 'health-lab-sdk'
import { durable } from 'health-lab-sdk/durable'
import { postgresStore } from 'health-lab-sdk/stores'
import { Pool } from 'pg'
import { PgBoss } from 'pg-boss'

/** Creates orders as pg-boss jobs. A job contains only your own id, and no health data. */
export async function startOrders(
  { client, load }: { client: ServiceClient; load: (id: string) => Promise<OrderInput> },
  database: { host: string; user: string; database: string },
) {
  // Without a listener, a lost connection would end the process.
  const report = ({ message }: Error) => console.error(message)
  const pool = new Pool(database).on('error', report)
  const boss = new PgBoss(database).on('error', report)
  const store = postgresStore(pool)
  await store.migrate()
  const writes = durable(client, { store })
  await boss.start()
  await boss.createQueue('orders', { retryLimit: 5, retryDelay: 60 })
  await boss.work<{ id: string }>('orders', async (jobs) => {
    for (const { data } of jobs) await writes.orders.create(data.id, await load(data.id))
  })
  return { boss, pool, create: (id: string) => boss.send('orders', { id }) }
}
