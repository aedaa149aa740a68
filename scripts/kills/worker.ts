import { readFileSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { DurableError, type DurableWrites, durable } from '../../src/durable/index.ts'
import { type ClientClock, ServiceClient } from '../../src/index.ts'
import type { WriteStore } from '../../src/stores/index.ts'
import { openStore } from './open-store.ts'
import {
  bookingInput,
  importOptions,
  speed,
  type Wanted,
  type WorkerLine,
  type WorkerTask,
} from './task.ts'

const task: WorkerTask = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))

function write(line: WorkerLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`)
}

let passed = 0

/** Counts a boundary. Kills the process at its last one, before anything else happens. */
function pass(): void {
  passed += 1
  if (passed === 1) write({ begun: true })
  if (passed === task.killAt) process.kill(process.pid, 'SIGKILL')
}

async function around<T>(act: () => Promise<T>): Promise<T> {
  pass()
  const result = await act()
  pass()
  return result
}

/** Adds boundaries around the store's statements. */
function bounded(store: WriteStore): WriteStore {
  return {
    begin: (intent) => around(() => store.begin(intent)),
    save: (id, hold) => around(() => store.save(id, hold)),
    end: (end) => around(() => store.end(end)),
    read: (id) => around(() => store.read(id)),
    open: (limit) => store.open(limit),
  }
}

/** A clock that is faster than real time, by the same factor in every process, so that holds and bookings end soon. */
const clock: ClientClock = {
  now: () => Date.now() * speed,
  sleep: (milliseconds, signal) => sleep(milliseconds / speed, undefined, signal ? { signal } : {}),
  startTimer(milliseconds, onEnd) {
    const timer = setTimeout(onEnd, milliseconds / speed)
    return () => clearTimeout(timer)
  },
}

async function send(writes: DurableWrites, wanted: Wanted): Promise<unknown> {
  const whenBusy = task.isLast ? 'wait' : 'throw'
  switch (wanted.kind) {
    case 'order':
      return writes.orders.create(wanted.id, wanted.order, { whenBusy })
    case 'booking':
      return writes.orders.bookAndWait(wanted.id, wanted.orderId, bookingInput, { whenBusy })
    case 'insurance':
      return writes.insurance.create(wanted.id, wanted.userId, wanted.insurance, { whenBusy })
    case 'import':
      return writes.link.bulkImportAll(wanted.id, 'oura', wanted.recipes, {
        ...importOptions,
        whenBusy,
      })
  }
}

/** The number of calls for one write in a last worker. */
const maxCalls = 5

async function run(writes: DurableWrites, wanted: Wanted): Promise<void> {
  for (let left = task.isLast ? maxCalls : 1; left > 0; left -= 1) {
    try {
      await send(writes, wanted)
    } catch (error) {
      if (!(error instanceof DurableError)) throw error
      if (error.code !== 'busy' && error.code !== 'unresolved') throw error
    }
    // A booking whose last check failed stays open. The next call continues it.
    const stored = await store.read(wanted.id)
    if (stored?.state !== 'pending') return write({ ended: wanted.id })
  }
}

const { store, close } = await openStore(task.place)
const client = new ServiceClient({
  baseUrl: task.baseUrl,
  apiKey: task.apiKey,
  clock,
  // One minute of real time, because other processes use the CPUs as well.
  timeout: 60_000 * speed,
  deadline: 60_000 * speed,
  fetch: (request) => around(() => fetch(request)),
})
const writes = durable(client, { store: bounded(store), holdFor: 1000 * speed })
await Promise.all(task.writes.map((wanted) => run(writes, wanted)))
await close()
