import { expect, it } from 'vitest'
import { runMonth } from '../../bench/scaling/month.ts'

it('imports users, books at the same time, runs a month of due events and reads all of it', async () => {
  expect(await runMonth(0.003)).toMatchObject({
    imported: 3000,
    confirmed: 30,
    dueEvents: 300,
    bulkOps: 3,
    appointments: 180,
  })
})
