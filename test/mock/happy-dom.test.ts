// @vitest-environment happy-dom
import { setupServer } from 'msw/node'
import { afterEach, expect, it } from 'vitest'
import { createMock } from '../../mock/index.ts'
import { handlers } from '../../mock/msw.ts'
import { ServiceClient } from '../../src/index.ts'

const baseUrl = 'https://api.example.test'
const mock = createMock()
const team = mock.team()
const server = setupServer(...handlers(mock, { baseUrl }))

afterEach(() => server.close())

it('gives a page in happy-dom the response to a request with a preflight', async () => {
  expect(location.origin).not.toBe(new URL(baseUrl).origin)
  server.listen({ onUnhandledFrame: 'error' })
  const response = await fetch(`${baseUrl}/v2/providers`, {
    headers: { 'x-service-api-key': team.apiKey },
  })
  expect(response.status).toBe(200)
  expect(await response.json()).not.toHaveLength(0)
})

it('lets a client book in happy-dom', async () => {
  server.listen({ onUnhandledFrame: 'error' })
  const { clock } = team.connection()
  const options = { apiKey: team.apiKey, baseUrl, clock, dangerouslyAllowBrowser: true }
  const client = new ServiceClient(options)
  const booking = { booking_key: 'bk_confirm_after_5m', async_confirmation: true }
  const { result } = await client.orders.bookAndWait(team.orders.create().id, booking)
  expect(result).toBe('booked')
})
