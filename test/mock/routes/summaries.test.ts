import { expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { summaryResources } from '../../../src/contract/values/known-values.ts'
import { userId } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'

const days = 'start_date=2025-05-30&end_date=2025-06-01'

it.each(summaryResources)(
  'lists %s summaries with their source (2.8, 2.9, 4.12)',
  async (resource) => {
    const { status, body } = await call(
      createMock().team(),
      `GET /v2/summary/${resource}/${userId}?${days}`,
    )
    expect(status).toBe(200)
    const records = resource === 'profile' ? [body] : (Object.values(body)[0] as object[])
    for (const record of records) {
      expect(record).toMatchObject({ user_id: userId, source: { provider: expect.any(String) } })
    }
  },
)

it('lists the summaries from start date to end date, inclusive (4.12)', async () => {
  const { body } = await call(createMock().team(), `GET /v2/summary/activity/${userId}?${days}`)
  const shown = new Set(body.activity.map((item: { calendar_date: string }) => item.calendar_date))
  for (const day of shown) expect(['2025-05-30', '2025-05-31', '2025-06-01']).toContain(day)
})

it('requires a start date (4.12)', async () => {
  const { status } = await call(createMock().team(), `GET /v2/summary/sleep/${userId}`)
  expect(status).toBe(422)
})

it.each([
  [{ now: '2024-07-30T23:00:00Z' }, true],
  [{ now: '2024-07-31T00:00:00Z' }, false],
  [{ now: '2024-07-31T00:00:00Z', deprecatedFields: 'always' as const }, true],
  [{ now: '2020-01-01T00:00:00Z', deprecatedFields: 'never' as const }, false],
])('shows the deprecated source fields with %j: %s (2.8, part 9)', async (options, isShown) => {
  const team = createMock().team(options)
  const { body } = await call(team, `GET /v2/summary/profile/${userId}?start_date=2020-01-01`)
  expect(Object.keys(body.source).includes('slug')).toBe(isShown)
})
