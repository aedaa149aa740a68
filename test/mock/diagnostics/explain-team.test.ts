import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createMock, explainTeam, type Team } from '../../../mock/index.ts'
import { connectMock } from '../../../mock/remote.ts'
import { serve } from '../../../mock/server.ts'
import { ServiceClient } from '../../../src/index.ts'
import { orderBody, userId } from '../../support/bodies.ts'

function start(options: Parameters<ReturnType<typeof createMock>['team']>[0] = {}) {
  const mock = createMock({ seed: 42, now: '2025-06-01T09:00:00Z' })
  const team = mock.team(options)
  const client = new ServiceClient({ ...team.connection(), maxRetries: 0 })
  return { mock, team, client }
}

/** Explains a team. Returns the lines, and the path of the reproduction, which is deleted after the test. */
function explain(team: Team): { text: string; path: string } {
  return withoutPath(explainTeam(team))
}

function withoutPath(text: string): { text: string; path: string } {
  const [, path = ''] = /^Reproduction: (.*\.cjs)$/m.exec(text) ?? []
  if (path !== '') onTestFinished(() => rmSync(dirname(path), { recursive: true }))
  return { text: path === '' ? text : text.replace(path, '<path>'), path }
}

it('lists requests with reasons, pending events and unused faults', async () => {
  const { team, client } = start()
  const { id } = team.orders.create()
  const book = (booking_key: string) =>
    client.orders.bookPhlebotomyAppointment(id, { booking_key, async_confirmation: true })
  await expect(book('invalid')).rejects.toThrow()
  await book('bk_never')
  await expect(client.request('PATCH', `/v2/user/${userId}/info`, { body: {} })).rejects.toThrow()
  await expect(client.request('GET', `/v2/nowhere/${userId}`)).rejects.toThrow()
  team.faults.add({ on: 'link.listProviders', when: { first: 1 }, then: 'lose_response' })
  team.faults.add({ on: 'insurance.create', then: 'html' })
  await expect(client.link.listProviders()).rejects.toThrow()
  const { text } = explain(team)
  expect(text).not.toContain(userId)
  expect(text).not.toContain(id)
  expect(text).toMatchInlineSnapshot(`
    "The team at 2025-06-01T09:00:02.500Z, clock mode auto, received 5 requests.
    The last 5 requests:
      1. orders.bookPhlebotomyAppointment POST /v3/order/{order_id}/phlebotomy/appointment/book 400: Invalid or expired booking key
      2. orders.bookPhlebotomyAppointment POST /v3/order/{order_id}/phlebotomy/appointment/book 200
      3. users.updateInfo PATCH /v2/user/{user_id}/info 422: body.first_name: Field required (missing); body.last_name: Field required (missing); body.email: Field required (missing); 4 more
      4. GET unknown route 404: Not found: no route matches this GET request. Did you mean PATCH /v2/user/{user_id}/info?
      5. link.listProviders GET /v2/providers lost: a fault closed the connection before the response was sent
    Pending events:
      booking.abandoned at 2025-06-01T09:15:00.000Z
    Faults that affected no request:
      {"on":"insurance.create","then":"html"}
    Reproduction: <path>"
  `)
})

it('shows the last 10 requests and pending events, and the number of all', async () => {
  const { team, client } = start()
  for (let at = 0; at < 11; at += 1) {
    const { id } = team.orders.create()
    await client.orders.bookPhlebotomyAppointment(id, {
      booking_key: 'bk_never',
      async_confirmation: true,
    })
  }
  const { text } = explain(team)
  expect(text).toContain('received 11 requests.\nThe last 10 requests:\n  2. orders.book')
  expect(text).toMatch(/(?: {2}booking\.\w+ at .*\n){10} {2}and 1 more/)
})

it('limits the lengths of reasons, and removes control characters', async () => {
  const { team, client } = start()
  const body = { detail: `\u001b[31mfirst\nsecond ${'x'.repeat(1000)}` }
  team.faults.add({ then: { status: 503, body } })
  await expect(client.link.listProviders()).rejects.toThrow()
  const { text } = explain(team)
  expect(text).toMatch(/503: \[31mfirst second x{180,200}…$/m)
})

it('adds the error of a background event to the request that caused it', async () => {
  const { team } = start({ clock: 'manual' })
  const { id } = team.orders.create()
  vi.spyOn(team.appointments, 'create').mockImplementation(() => {
    throw new Error('A defect in the appointment.')
  })
  const client = new ServiceClient({ ...team.connection(), maxRetries: 0 })
  const booking = client.orders.bookPhlebotomyAppointment(id, {
    booking_key: 'bk_confirm_after_5s',
  })
  const failed = expect(booking).rejects.toThrow()
  await team.clock.whenWaiting()
  await expect(team.clock.advance('1h')).rejects.toThrow('defect')
  await failed
  expect(explain(team).text).toMatch(/failed: the mock failed; .*A defect in the appointment\./)
})

it('explains a team in another process like one of this process', async () => {
  const { mock, team, client } = start()
  const server = await serve(mock, { gracePeriod: 0 })
  onTestFinished(() => server.close())
  const remote = connectMock(server.url, team.apiKey)
  const { id } = team.orders.create()
  const booking = { booking_key: 'bk_never', async_confirmation: true }
  await client.orders.bookPhlebotomyAppointment(id, booking)
  await expect(client.request('GET', '/v2/nowhere')).rejects.toThrow()
  team.faults.add({ on: 'insurance.create', then: 'html' })
  const { text, path } = withoutPath(await explainTeam(remote))
  const local = explain(team)
  expect(text).toBe(local.text)
  expect(readFileSync(path, 'utf8')).toBe(readFileSync(local.path, 'utf8'))
  vi.spyOn(remote, 'reproduction').mockRejectedValue(new Error('Too large.'))
  expect(await explainTeam(remote)).toContain('Pending events:')
  expect(await explainTeam(remote)).toMatch(/Reproduction: not available\. Too large\.$/)
})

it('rejects if the process of the team does not respond', async () => {
  const remote = connectMock('http://127.0.0.1:1', 'key')
  await expect(explainTeam(remote)).rejects.toMatchObject({ code: 'unreachable' })
})

it('rejects a value that is not a team', () => {
  // Callers without types may pass any value.
  expect(() => explainTeam({} as Team)).toThrow('explainTeam requires a Team or a RemoteTeam')
})

it('writes a module that recreates the team, readable by its owner only', async () => {
  const { team, client } = start()
  await client.orders.create(orderBody(team.catalogue.labTests.list()[0]?.id ?? ''))
  team.faults.add({ on: 'insurance.create', then: 'html' })
  const { path } = explain(team)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const source = readFileSync(path, 'utf8')
  const address = resolve('mock/index.ts')
  writeFileSync(path, source.replace("'health-lab-sdk/mock'", `'${address}'`))
  const { team: recreated } = await import(/* @vite-ignore */ path)
  expect(recreated.reproduction()).toBe(team.reproduction())
})

it('says why there is no file', () => {
  const { team } = start()
  team.configure({ strictResponses: false })
  // Callers without types may pass any value.
  const { user_id } = team.users.create()
  team.insurances.create({ user_id, insurance: { member_id: 1n } } as never)
  expect(explain(team).text).toMatch(/Reproduction: not available\. .*BigInt/)
})

it('names the method that reproduces the team on platforms without files', () => {
  const { team } = start()
  vi.stubGlobal('process', undefined)
  const text = explainTeam(team)
  vi.unstubAllGlobals()
  expect(text).toContain('Reproduction: call team.reproduction()')
})

it('explains a team that received nothing', () => {
  const { team } = start({ clock: 'manual' })
  expect(explain(team).text).toBe(
    'The team at 2025-06-01T09:00:00.000Z, clock mode manual, received 0 requests.\nReproduction: <path>',
  )
})
