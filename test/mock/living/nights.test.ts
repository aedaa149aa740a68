import { expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { call } from '../../support/call.ts'

it('has stages that sum to a night in which the offset of the zone changes by seconds', async () => {
  const team = createMock({ now: '1972-01-08T12:00:00Z' }).team()
  const nights = []
  for (let count = 0; count < 20; count += 1) {
    const { user_id } = team.users.create({
      living: true,
      time_zone: 'Africa/Monrovia',
      connections: ['oura'],
    })
    const path = `/v2/summary/sleep/${user_id}?start_date=1972-01-07&end_date=1972-01-07`
    const { body } = await call(team, `GET ${path}`)
    nights.push(...body.sleep)
  }
  expect(nights.some(({ bedtime_start }) => bedtime_start.endsWith(':30+00:00'))).toBe(true)
  for (const { duration, total, awake } of nights) expect(total + awake).toBe(duration)
})
