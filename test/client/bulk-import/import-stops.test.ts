import { describe, expect, it } from 'vitest'
import { AuthenticationError, ConnectionError } from '../../../src/index.ts'
import { json } from '../../support/stub-fetch.ts'
import { clientOf, importAll, importEverybody, outcomes, recipesUpTo } from './import-client.ts'

describe('bulkImportAll', () => {
  it.each([
    [401, AuthenticationError],
    [403, undefined],
    [400, undefined],
  ])('stops at %i, which would also fail the next batch', async (status, Kind) => {
    const { client, requests } = clientOf((request, nth) =>
      nth === 2 ? json({ detail: 'no' }, status) : importEverybody(request, nth),
    )
    const report = await importAll(client, recipesUpTo(10), { concurrency: 1 })
    expect(requests).toHaveLength(2)
    if (Kind) expect(report.stopped?.error).toBeInstanceOf(Kind)
    expect(report.stopped?.error).toMatchObject({ status })
    expect(report.ranges).toMatchObject({ imported: [[0, 1]], unsent: [[2, null]] })
  })

  it('marks everything unsent when the connection is refused', async () => {
    const { client } = clientOf(() => {
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }),
      })
    })
    const report = await importAll(client, recipesUpTo(9))
    expect(report.stopped?.error).toBeInstanceOf(ConnectionError)
    expect(report.sent).toBe(0)
    expect(new Set(outcomes(report, 9))).toEqual(new Set(['unsent']))
  })

  describe('abort', () => {
    const reason = new Error('enough')

    it('sends nothing when the signal is already aborted', async () => {
      const { client, requests } = clientOf(importEverybody)
      const report = await importAll(client, recipesUpTo(3), { signal: AbortSignal.abort(reason) })
      expect(report.stopped?.error).toBe(reason)
      expect(report.ranges.unsent).toEqual([[0, null]])
      expect(requests).toHaveLength(0)
    })

    it('ends the running batches, whose outcome is unknown', async () => {
      const controller = new AbortController()
      const { client } = clientOf((request, nth) => {
        if (nth < 3) return importEverybody(request, nth)
        controller.abort(reason)
        return new Promise(() => {})
      })
      const { signal } = controller
      const report = await importAll(client, recipesUpTo(10), { signal, concurrency: 1 })
      expect(report.stopped?.error).toBe(reason)
      expect(report.ranges).toMatchObject({
        imported: [[0, 3]],
        unknown: [[4, 5]],
        unsent: [[6, null]],
      })
    })

    it('does not wait for a slow source', async () => {
      const controller = new AbortController()
      async function* source() {
        yield* recipesUpTo(3)
        controller.abort(reason)
        await new Promise(() => {})
      }
      const { client } = clientOf(importEverybody)
      const report = await importAll(client, source(), { signal: controller.signal })
      expect(report.stopped?.error).toBe(reason)
      expect(report.ranges.unsent).toEqual([[2, null]])
    })
  })
})
