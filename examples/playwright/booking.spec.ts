import { expect, test } from '@playwright/test'

/** Gives the tests in this file their own team, because each API key has its own team. */
test.use({ extraHTTPHeaders: { 'x-service-api-key': `test-${crypto.randomUUID()}` } })

test('books an appointment for a seeded order', async ({ request }) => {
  const seeded = await request.post('/__mock__/api/seed', { data: { orders: [{}] } })
  const { orders } = await seeded.json()
  const path = `/v3/order/${orders[0].id}/phlebotomy/appointment/book`
  const booked = await request.post(path, { data: { booking_key: 'bk_confirm_after_30s' } })
  expect(await booked.json()).toMatchObject({ status: 'confirmed' })
})
