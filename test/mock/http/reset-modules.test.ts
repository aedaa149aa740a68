import { afterEach, expect, it, vi } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { userId } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'

afterEach(() => {
  vi.resetModules()
})

it('responds, even with errors, if the routes are loaded after a module reset', async () => {
  const team = createMock().team()
  const { user_id } = team.users.create()
  vi.resetModules()
  const appointment = await call(team, `GET /v3/order/${userId}/phlebotomy/appointment`)
  expect(appointment).toMatchObject({ status: 404, body: { detail: 'Order not found' } })
  const signIn = await call(team, `POST /v2/user/${user_id}/sign_in_token`)
  expect(signIn.status).toBe(200)
})
