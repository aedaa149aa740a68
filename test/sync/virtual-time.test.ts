import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock/index.ts'
import { ServiceClient } from '../../src/index.ts'
import { sharedPglite } from '../support/stores.ts'
import { syncInto } from './synced-schema.ts'

const resources = ['activity'] as const

describe('the time of the client', () => {
  it.each(['2025', '2030'])('is that of the mock, in %s', async (year) => {
    const now = `${year}-06-01T09:00:00Z`
    const team = createMock({ seed: 4, now }).team()
    const users = [team.users.create({ living: true }).user_id]
    const client = new ServiceClient(team.connection())
    const { sync, query } = await syncInto(await sharedPglite(), { client })
    const latest = async () =>
      (await query('select max(calendar_date)::text as day from $.activity'))[0]?.['day']
    const fill = () => sync.backfill({ users, resources, from: `${year}-05-25` })

    await fill()
    expect(await latest()).toBe(`${year}-05-31`)
    await query('delete from $.activity')
    const report = await sync.verify({ users, resources })
    expect(report.resources.activity?.missing).toBeGreaterThan(0)
    expect(await latest()).toBe(`${year}-05-31`)
    await team.clock.advance('5d')
    await fill()
    expect(await latest()).toBe(`${year}-06-05`)
  })

  it('is read before the records', async () => {
    const team = createMock({ seed: 4, now: '2025-06-01T09:00:00Z' }).team()
    const users = [team.users.create({ living: true }).user_id]
    const connection = team.connection()
    const slow = async (request: Request) => {
      const response = await connection.fetch(request)
      await team.clock.advance('5d')
      return response
    }
    const limits = { timeout: 10 * 86_400_000, deadline: 10 * 86_400_000 }
    const client = new ServiceClient({ ...connection, ...limits, fetch: slow })
    const { sync, query } = await syncInto(await sharedPglite(), { client })
    const fill = () => sync.backfill({ users, resources, from: '2025-05-25' })
    await fill()
    await fill()
    const days = await query(
      'select distinct calendar_date::text as day from $.activity order by 1',
    )
    expect(days.map(({ day }) => day).slice(-6)).toEqual(
      ['05-31', '06-01', '06-02', '06-03', '06-04', '06-05'].map((day) => `2025-${day}`),
    )
  })
})
