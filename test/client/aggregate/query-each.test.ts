import { expect, it } from 'vitest'
import { past, query, ServiceClient, sum } from '../../../src/index.ts'
import { runsOf } from '../../support/long-tests.ts'
import { fc } from '../../support/properties.ts'

const request = {
  timeframe: past(1, 'day', '2025-06-01'),
  queries: [query(sum('activity', 'steps'))],
}

/** So many microtasks. */
async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick += 1) await undefined
}

it('returns the result of every user once, however long the source and the service take', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ source: fc.nat(40), service: fc.nat(200) }), { maxLength: 30 }),
      fc.integer({ min: 1, max: 6 }),
      async (waits, concurrency) => {
        const userOf = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
        let underWay = 0
        let most = 0
        const client = new ServiceClient({
          apiKey: 'k',
          baseUrl: 'https://service.test',
          fetch: async ({ url }) => {
            underWay += 1
            most = Math.max(most, underWay)
            await ticks(waits[Number(url.slice(-18, -6))]?.service ?? 0)
            underWay -= 1
            return Response.json({ results: [{ table: { index: [''], sum: [1] } }] })
          },
        })
        async function* users() {
          for (const [at, { source }] of waits.entries()) {
            await ticks(source)
            yield userOf(at)
          }
        }
        const responded: string[] = []
        for await (const { userId, result } of client.aggregate.queryEach(users(), request, {
          concurrency,
        })) {
          expect(result?.results).toHaveLength(1)
          responded.push(userId)
        }
        expect(responded.toSorted()).toEqual(waits.map((_, at) => userOf(at)))
        expect(most).toBeLessThanOrEqual(concurrency)
      },
    ),
    { numRuns: runsOf(200) },
  )
})
