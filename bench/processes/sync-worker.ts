import { readFileSync } from 'node:fs'
import { Pool } from 'pg'
import type { ServiceEvent } from '../../src/contract/events.ts'
import { createSync } from '../../src/sync/index.ts'

/** The messages that a worker stores. */
export interface SyncTask {
  connection: { host: string; port: number; user: string; database: string }
  schema: string
  /** The file with the messages. */
  file: string
  /** The index of the first message. The worker stores every `parts`-th message from there. */
  part: number
  parts: number
  /** The number of events to store by repeating the messages. 0 stores each message once. */
  events: number
}

/** Stores messages after a message from the parent, and then sends the maximum resident memory in megabytes. */
const task: SyncTask = JSON.parse(process.argv[2] ?? '')
const pool = new Pool({ ...task.connection, max: 1 })
const { listeners } = createSync({ database: pool, schema: task.schema })
const all: { id: string; event: ServiceEvent; sentAt: string }[] = JSON.parse(
  readFileSync(task.file, 'utf8'),
)
const own = all.filter((_, index) => index % task.parts === task.part)
await pool.query('select 1')
process.once('message', async () => {
  for (let index = 0; index < (task.events || own.length); index += 1) {
    const given = own[index % own.length]
    if (!given) break
    const { id, event, sentAt } = given
    const message = { id: `${id}-${index}`, timestamp: new Date(sentAt) }
    await listeners.dedupe.handle(message.id, (tx) => listeners.transaction(tx, event, message))
  }
  await pool.end()
  process.send?.(peakMegabytes())
  process.disconnect()
})
process.send?.('ready')

/** Returns the maximum resident memory. `resourceUsage` also counts the memory that this process inherits from its parent. */
function peakMegabytes(): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(kilobytes) / 1024
}
