import { expect, it, onTestFinished } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { serve } from '../../../mock/server/server.ts'
import { builtPage } from '../../../scripts/build/inspector.ts'
import { ServiceClient } from '../../../src/index.ts'
import { insuranceBody } from '../../support/bodies.ts'
import {
  goTo,
  inChromium,
  newPage,
  requestIn,
  serveInspector,
  useChromium,
} from '../../support/inspector.ts'
import { withoutChromium } from '../../support/programs/chromium.ts'

useChromium()

it('serves the page with a policy that allows only its own script, style and server', async () => {
  const { url } = await serveInspector({ token: 'secret' })
  const response = await fetch(`${url}/__mock__`)
  expect(response.url).toBe(`${url}/__mock__/`)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src data:; connect-src 'self'; base-uri 'none'/,
    ),
    'x-content-type-options': 'nosniff',
  })
  const head = await fetch(`${url}/__mock__/`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect((await fetch(`${url}/__mock__/`, { method: 'POST' })).status).toBe(401)
})

it('bundles Preact only, and no zod schemas', async () => {
  const { files } = await builtPage()
  const packages = files.flatMap(
    (file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [],
  )
  expect(new Set(packages)).toEqual(new Set(['preact']))
})

it('counts requests, changes, events and faults in the pulse', async () => {
  const { team, url } = await serveInspector({ strictKeys: true })
  const headers = { 'x-service-api-key': team.apiKey }
  const pulse = async () => (await fetch(`${url}/__mock__/api/pulse`, { headers })).json()
  const before = await pulse()
  expect(before).toMatchObject({ requests: 0, waiting: 0, changes: 0, events: 0, faults: 0 })
  const { user_id } = team.users.create()
  team.connections.create({ user_id, provider: 'oura' })
  team.faults.add({ on: 'link.*', then: 'html' })
  const after = await pulse()
  expect(after).toMatchObject({ requests: 0, changes: 2, events: team.events.count, faults: 1 })
  team.reset()
  expect(await pulse()).toMatchObject({ requests: 0, changes: 3, events: 0, faults: 0 })
})

inChromium(
  `shows a new request with its changes and events (skipped if ${withoutChromium})`,
  async () => {
    const { team, client, open } = await serveInspector()
    const page = await open('requests')
    await page.getByText('This team has no requests yet.').waitFor()
    const order = team.orders.create()
    await client.orders.bookPhlebotomyAppointment(order.id, {
      booking_key: 'bk_confirm_after_3s',
      appointment_notes: 'Ring twice',
    })
    const request = requestIn(page, 'orders.bookPhlebotomyAppointment')
    await request.getByText('200').waitFor()
    await request.getByText('3 changes, 3 events').waitFor()
    await request.click()
    const detail = page.getByRole('region', { name: 'Selected request' })
    await detail.getByText('"Ring twice"').first().waitFor()
    await detail.getByText(`POST /v3/order/${order.id}/phlebotomy/appointment/book`).waitFor()
    await detail.getByText('/v3/order/{order_id}/phlebotomy/appointment/book').waitFor()
    await detail.getByText('orders', { exact: true }).first().click()
    await detail.getByText('appointment_id', { exact: true }).first().waitFor()
    await detail.getByText('labtest.appointment.created', { exact: true }).click()
    await detail.getByText('"labtest.appointment.created"').waitFor()
    expect(await page.getByRole('link', { name: /^Requests/ }).textContent()).toBe('Requests1')
  },
)

inChromium('filters requests, and explains why one has no response', async () => {
  const { team, client, open } = await serveInspector()
  team.faults.add({ on: 'insurance.create', then: 'lose_response' })
  const { user_id } = team.users.create()
  await client.link.listProviders()
  await client.insurance.create(user_id, insuranceBody()).catch(() => {})
  const page = await open('requests')
  await requestIn(page, 'link.listProviders').waitFor()
  const filter = page.getByRole('searchbox', { name: /^Filter/ })
  await filter.fill('M-1 LOST')
  await requestIn(page, 'link.listProviders').waitFor({ state: 'detached' })
  await requestIn(page, 'Fault: processes the request, but loses the response').click()
  await page.getByText('A fault closed the connection').waitFor()
  await page.reload()
  await page.getByText('A fault processes the request, but loses the response.').waitFor()
  expect(await filter.inputValue()).toBe('M-1 LOST')
  await filter.fill('')
  await requestIn(page, 'link.listProviders').waitFor()
  await page.getByRole('radio', { name: 'With a fault' }).check()
  await requestIn(page, 'link.listProviders').waitFor({ state: 'detached' })
  await filter.fill('nothing of this kind')
  await page.getByText('No requests match the filter.').waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByText('This team has no requests yet.').waitFor()
  expect(team.journal.count).toBe(0)
})

inChromium('requires the token of the server', async () => {
  const { team, client, open } = await serveInspector({ token: 'secret' })
  await client.link.listProviders()
  const page = await open('requests')
  await page.getByLabel('Token').fill('wrong')
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByText('The token is invalid.').waitFor()
  await page.getByLabel('Token').fill('secret')
  await page.getByRole('button', { name: 'Open' }).click()
  await requestIn(page, 'link.listProviders').waitFor()
  await page.reload()
  await requestIn(page, 'link.listProviders').waitFor()
  expect(team.journal.count).toBe(1)
})

inChromium('shows why the server rejects the page, and tries again', async () => {
  const { open } = await serveInspector()
  const page = await open('requests')
  await page.route('**/__mock__/api/teams', (route) =>
    route.fulfill({
      status: 403,
      json: { detail: 'Only requests from this machine can control the mock' },
    }),
  )
  await page.reload()
  await page
    .getByRole('alert')
    .getByText('Only requests from this machine can control the mock')
    .waitFor()
  await page.unroute('**/__mock__/api/teams')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('This team has no requests yet.').waitFor()
})

inChromium('shows one team, and links to a team with requests', async () => {
  const { client, open, url } = await serveInspector()
  await new ServiceClient({ apiKey: 'suite-7', baseUrl: url }).link.listProviders()
  const page = await open('requests')
  await page.getByText('This team has no requests yet.').waitFor()
  await page.getByRole('button', { name: 'Show suite-7, 1 request' }).click()
  await requestIn(page, 'link.listProviders').waitFor()
  await client.labTests.listMarkers()
  await page.getByLabel('Team').focus()
  await page.getByLabel('Team').selectOption({ index: 0 })
  await requestIn(page, 'labTests.listMarkers').waitFor()
  expect(await requestIn(page, 'link.listProviders').count()).toBe(0)
})

inChromium('sends no requests while it is paused, and never appears in the journal', async () => {
  const { team, client, open } = await serveInspector()
  await client.link.listProviders()
  const page = await open('requests')
  await requestIn(page, 'link.listProviders').waitFor()
  await page.getByRole('button', { name: 'Live' }).click()
  await page.getByRole('button', { name: 'Paused', pressed: true }).waitFor()
  let requests = 0
  page.on('request', () => {
    requests += 1
  })
  await client.labTests.listMarkers()
  // When another page has polled twice, more than a second has passed.
  const other = await page.context().newPage()
  await other.goto(page.url())
  await requestIn(other, 'labTests.listMarkers').waitFor()
  await client.labTests.list()
  await requestIn(other, 'labTests.list').waitFor()
  expect(requests).toBe(0)
  await page.getByRole('button', { name: 'Paused' }).click()
  await requestIn(page, 'labTests.listMarkers').waitFor()
  expect(team.journal.count).toBe(3)
})

inChromium('reports that the server is down, and recovers when it is back', async () => {
  const mock = createMock()
  const server = await serve(mock, { gracePeriod: 0 })
  const page = await newPage()
  await page.goto(`${server.url}/__mock__/`)
  await page.getByText('This team has no requests yet.').waitFor()
  await server.close()
  await page.getByRole('alert').getByText('The server is not responding. Retrying').waitFor()
  const restarted = await serve(mock, { gracePeriod: 0, port: Number(new URL(server.url).port) })
  onTestFinished(() => restarted.close())
  await page.getByRole('alert').waitFor({ state: 'detached' })
})

inChromium('shows hostile strings as plain text', async () => {
  const { team, client, open } = await serveInspector()
  const first_name = '<img src=x onerror="document.title=1">'
  const { user_id } = team.users.create({ info: { first_name, last_name: '\u202egnorw 👩‍🚀' } })
  await client.insurance.create(user_id, insuranceBody({ member_id: '</script>\u0000\ud800' }))
  const page = await open('users')
  await page.getByRole('cell', { name: `${first_name} \\u{202e}gnorw 👩‍🚀`, exact: true }).waitFor()
  await goTo(page, 'Requests')
  await requestIn(page, 'insurance.create').click()
  await page.getByText('"</script>').first().waitFor()
  expect(await page.locator('main img').count()).toBe(0)
  expect(await page.title()).toBe('Mock inspector')
})
