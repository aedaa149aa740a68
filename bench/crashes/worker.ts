import { appendFileSync } from 'node:fs'
import { idempotencyKeyOf, ServiceClient } from '../../src/index.ts'
import { orderBody } from '../../test/support/bodies.ts'
import { readLines, type WorkerLine, type WorkerTask } from './task.ts'

/** Stores its own id for an order before it sends the order, so that it can continue after a crash. */
async function work({ baseUrl, apiKey, labTest, file, last }: WorkerTask): Promise<void> {
  const client = new ServiceClient({ baseUrl, apiKey })
  const created = new Set(readLines(file).flatMap(({ own, id }) => (id ? [own] : [])))
  for (let number = 1; number <= last; number += 1) {
    const own = `order ${number}`
    if (created.has(own)) continue
    write(file, { own })
    const body = orderBody(labTest)
    body.patient_address.access_notes = own
    const { order } = await client.orders.create(body, { idempotencyKey: idempotencyKeyOf(own) })
    process.send?.('created')
    write(file, { own, id: order.id })
  }
}

function write(file: string, line: WorkerLine): void {
  appendFileSync(file, `${JSON.stringify(line)}\n`)
  process.send?.('written')
}

await work(JSON.parse(process.argv[2] ?? '{}'))
process.disconnect()
