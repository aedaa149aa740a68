import { createMock } from '../../../mock/index.ts'
import { ConcurrencyLimit } from '../../../src/client/transport/concurrency-limit.ts'
import { memoryStore } from '../../../src/events/dedupe.ts'
import { Deduplicator } from '../../../src/events/deduplicator.ts'
import { ServiceClient } from '../../../src/index.ts'
import type { ScalingCase } from '../scaling-case.ts'

async function walk(items: AsyncIterable<unknown>, size: number): Promise<void> {
  let count = 0
  for await (const _ of items) count += 1
  if (count < size) throw new Error(`The walk found ${count} of ${size} items.`)
}

export const clientCases: Record<string, ScalingCase> = {
  cursors: {
    what: 'Pagination: lab tests by cursor',
    growth: 'linear',
    size: 8000,
    prepare: (size) => {
      const team = createMock({ journalLimit: 10 }).team()
      for (let at = 0; at < size; at += 1) team.catalogue.labTests.create()
      const client = new ServiceClient(team.connection())
      return () => walk(client.labTests.list({ lab_test_limit: 50 }), size)
    },
  },
  numbers: {
    what: 'Pagination: markers by page number',
    growth: 'linear',
    size: 16_000,
    prepare: (size) => {
      const team = createMock({ journalLimit: 10 }).team()
      for (let at = 0; at < size; at += 1) team.catalogue.markers.create()
      const client = new ServiceClient(team.connection())
      return () => walk(client.labTests.listMarkers({ size: 100, name: 'marker' }), size)
    },
  },
  gate: {
    what: 'Client: calls queued by `maxConcurrency`',
    growth: 'lookup',
    size: 256_000,
    prepare: (size) => async () => {
      const limit = new ConcurrencyLimit(1)
      const calls = Array.from({ length: size }, () => limit.acquire().then(() => limit.release()))
      await Promise.all(calls)
    },
  },
  abortedGate: {
    what: 'Client: aborted calls queued by `maxConcurrency`',
    growth: 'linear',
    size: 32_000,
    prepare: async (size) => {
      const limit = new ConcurrencyLimit(1)
      await limit.acquire()
      return async () => {
        const controllers = Array.from({ length: size }, () => new AbortController())
        const calls = controllers.map(({ signal }) => limit.acquire(signal).catch(() => {}))
        for (const controller of controllers.reverse()) controller.abort()
        await Promise.all(calls)
      }
    },
  },
  dedupe: {
    what: 'Deduplication: 50,000 messages with a `limit` of the given size',
    growth: 'accesses',
    size: 64_000,
    prepare: async (size) => {
      const messages = new Deduplicator(memoryStore(size), () => {})
      const handle = async (from: number, to: number) => {
        for (let at = from; at < to; at += 1) await messages.run(`msg_${at}`, () => {})
      }
      await handle(0, size)
      return () => handle(size, size + 50_000)
    },
  },
}
