import { readFileSync } from 'node:fs'
import { type Browser, chromium as launcher, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createMock, type Team } from '../../../mock/index.ts'
import { type ServeOptions, serve } from '../../../mock/server/server.ts'
import { builtPage } from '../../../scripts/build/inspector.ts'
import { dateTrunc, max, past, query, rows, ServiceClient } from '../../../src/index.ts'
import { insuranceBody, recipe } from '../../support/bodies.ts'
import { chromium, withoutChromium } from '../../support/chromium.ts'

let browser: Browser | undefined

beforeAll(async () => {
  if (!chromium) return
  browser = await launcher.launch({ executablePath: chromium, args: ['--no-sandbox'] })
})

afterAll(() => browser?.close())

// The only reason to skip is a machine without the browser; `.ci/run` installs it.
const inChromium = it.skipIf(!chromium)

interface Stage {
  team: Team
  client: ServiceClient
  page: Page
  url: string
}

interface StageOptions extends ServeOptions {
  width?: number
  colorScheme?: 'light' | 'dark'
}

/**
 * A served mock and its inspector, at a panel. Whatever a page should never do fails the test: an error, a message on the
 * console, a request to elsewhere.
 */
async function opened(place: string, options: StageOptions = {}): Promise<Stage> {
  const { width = 1280, colorScheme = 'light', ...serving } = options
  const mock = createMock({ seed: 42 })
  const server = await serve(mock, { gracePeriod: 0, ...serving })
  const context = await (browser as Browser).newContext({
    viewport: { width, height: 800 },
    colorScheme,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const wrongs: string[] = []
  page.on('pageerror', ({ message }) => wrongs.push(message))
  page.on('console', (message) => {
    // Chromium tells of every answer that is a refusal.
    if (!message.text().startsWith('Failed to load resource')) wrongs.push(message.text())
  })
  page.on('request', (request) => {
    const asked = request.url()
    if (!asked.startsWith(`${server.url}/`) && !asked.startsWith('data:')) wrongs.push(asked)
  })
  onTestFinished(async () => {
    await context.close()
    await server.close()
    expect(wrongs).toEqual([])
  })
  await page.goto(`${server.url}/__mock__/#/${place}`)
  const team = mock.defaultTeam
  const client = new ServiceClient({ apiKey: team.apiKey, baseUrl: server.url, maxRetries: 0 })
  return { team, client, page, url: server.url }
}

/** The button of a request in the list. */
function requestIn(page: Page, text: string) {
  return page.getByRole('list', { name: /^Requests/ }).getByRole('button', { name: text })
}

it('answers the page with a policy that lets nothing else in', async () => {
  const server = await serve(createMock(), { gracePeriod: 0, token: 'secret' })
  onTestFinished(() => server.close())
  const response = await fetch(`${server.url}/__mock__`)
  expect(response.url).toBe(`${server.url}/__mock__/`)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src data:; connect-src 'self'; base-uri 'none'/,
    ),
    'x-content-type-options': 'nosniff',
  })
  const head = await fetch(`${server.url}/__mock__/`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect((await fetch(`${server.url}/__mock__/`, { method: 'POST' })).status).toBe(401)
})

it('is built of Preact, and of no schema', async () => {
  const { files } = await builtPage()
  const packages = files.flatMap(
    (file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [],
  )
  expect(new Set(packages)).toEqual(new Set(['preact']))
})

it('counts what happens, for who asks each second', async () => {
  const server = await serve(createMock(), { gracePeriod: 0, strictKeys: true })
  onTestFinished(() => server.close())
  const team = server.mock.defaultTeam
  const headers = { 'x-service-api-key': team.apiKey }
  const pulse = async () => (await fetch(`${server.url}/__mock__/api/pulse`, { headers })).json()
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
  `shows a request as it comes, and what came of it (else ${withoutChromium})`,
  async () => {
    const { team, client, page } = await opened('requests')
    await page.getByText('This team has made no request yet.').waitFor()
    const order = team.orders.create()
    await client.orders.bookPhlebotomyAppointment(order.id, {
      booking_key: 'bk_confirm_after_3s',
      appointment_notes: 'Ring twice',
    })
    const request = requestIn(page, 'orders.bookPhlebotomyAppointment')
    await request.getByText('200').waitFor()
    await request.getByText('2 changes, 1 event').waitFor()
    await request.click()
    const detail = page.getByRole('region', { name: 'The chosen request' })
    await detail.getByText('"Ring twice"').first().waitFor()
    await detail.getByText('POST /v3/order/{order_id}/phlebotomy/appointment/book').waitFor()
    await detail.getByText('orders', { exact: true }).click()
    await detail.getByText('appointment_id', { exact: true }).waitFor()
    await detail.getByText('labtest.appointment.created', { exact: true }).click()
    await detail.getByText('"labtest.appointment.created"').waitFor()
    expect(await page.getByRole('link', { name: /^Requests/ }).textContent()).toBe('Requests1')
  },
)

inChromium('finds requests by what they are, and tells why one has no answer', async () => {
  const { team, client, page } = await opened('requests')
  team.faults.add({ on: 'insurance.create', then: 'lose_answer' })
  const { user_id } = team.users.create()
  await client.link.listProviders()
  await client.insurance.create(user_id, insuranceBody()).catch(() => {})
  await requestIn(page, 'link.listProviders').waitFor()
  await page.getByRole('searchbox').fill('lost')
  await requestIn(page, 'link.listProviders').waitFor({ state: 'detached' })
  await requestIn(page, 'insurance.create').click()
  await page.getByText('A fault closed the connection').waitFor()
  await page.getByRole('searchbox').fill('nothing of this kind')
  await page.getByText('No request fits the filter.').waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByText('This team has made no request yet.').waitFor()
  expect(team.journal.count).toBe(0)
})

inChromium('moves the clock, and lets a pending booking be confirmed', async () => {
  const { team, client, page } = await opened('clock')
  const order = team.orders.create()
  const { id } = await client.orders.bookPhlebotomyAppointment(order.id, {
    booking_key: 'bk_confirm_after_2h',
    async_confirmation: true,
    async_confirmation_timeout_millisecond: 172_800_000,
  })
  await page.getByText('A booking is confirmed or fails').waitFor()
  await page.getByRole('radio', { name: /^manual/ }).check()
  await page.getByRole('status').getByText('The clock is manual.').waitFor()
  await page.getByRole('button', { name: '+1h,' }).click()
  await page.getByText('59 min 57 s', { exact: true }).waitFor()
  expect(team.appointments.get(id)?.status).toBe('pending')
  await page.getByRole('button', { name: 'Run to next' }).click()
  await page.getByText('Nothing is pending.').waitFor()
  expect(team.appointments.get(id)?.status).toBe('confirmed')
  await page.getByLabel('To a moment, in UTC').fill('2025-07-01T12:30')
  await page.getByRole('button', { name: 'Move there' }).click()
  await page.getByRole('main').getByText('Tue, 1 Jul 2025').waitFor()
  expect(team.clock.now().toISOString()).toBe('2025-07-01T12:30:00.000Z')
  await page.getByRole('link', { name: 'Appointments' }).click()
  await page.getByRole('cell', { name: 'confirmed', exact: true }).waitFor()
})

inChromium('breaks a call with a fault, and mends it', async () => {
  const { team, client, page } = await opened('faults')
  await page.getByRole('combobox', { name: 'On', exact: true }).selectOption('link.*')
  await page.getByLabel('When').selectOption('first')
  await page.getByLabel('Effect').selectOption('answers a status')
  await page.getByRole('spinbutton', { name: 'Status' }).fill('418')
  await page.getByRole('button', { name: 'Add fault' }).click()
  const fault = page.getByRole('row').filter({ hasText: 'answers 418' })
  await fault.getByRole('cell', { name: '0', exact: true }).waitFor()
  await expect(client.link.listProviders()).rejects.toThrow('418')
  await fault.getByRole('cell', { name: '1', exact: true }).waitFor()
  expect(team.faults.list().map(({ fault }) => fault)).toEqual([
    { on: 'link.*', when: { first: 1 }, then: { status: 418 } },
  ])
  await fault.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Nothing goes wrong.').waitFor()
  expect(await client.link.listProviders()).not.toHaveLength(0)
})

inChromium.each([
  { effect: 'latency', then: { latency: '3s' } },
  { effect: 'rateLimit', then: { rateLimit: { requests: 10, per: '1m' } } },
  { effect: 'cut_mid_body', then: 'cut_mid_body' },
  { effect: 'redirect', then: { redirect: 'https://elsewhere.test/' } },
  { effect: 'nulls', then: { drift: 'nulls' } },
  { effect: 'bomb', then: { archive: 'bomb' } },
])('adds the fault $effect', async ({ effect, then }) => {
  const { team, page } = await opened('faults')
  await page.getByLabel('When').selectOption('by chance')
  await page.getByLabel('Percent').fill('25')
  await page.getByLabel('Effect').selectOption(effect)
  await page.getByRole('button', { name: 'Add fault' }).click()
  await page.getByText('25 % of requests').waitFor()
  expect(team.faults.list().map(({ fault }) => fault)).toEqual([
    { on: '*', when: { probability: 0.25 }, then },
  ])
})

inChromium('triggers an event of a type and a user', async () => {
  const { team, page } = await opened('events')
  const ada = team.users.create({ info: { first_name: 'Ada', last_name: 'Byron' } })
  await page.getByLabel('User').getByText('Ada Byron').waitFor({ state: 'attached' })
  await page.getByLabel('Type', { exact: true }).fill('daily.data.glucose.created')
  await page.getByLabel('User').selectOption(ada.user_id)
  await page.getByRole('button', { name: 'Trigger' }).click()
  const row = page.getByRole('row').filter({ hasText: 'daily.data.glucose.created' })
  await row.getByText('Ada Byron').waitFor()
  expect(team.events.last()).toMatchObject({
    event_type: 'daily.data.glucose.created',
    user_id: ada.user_id,
  })
})

inChromium('adds and removes webhooks, and tells why one cannot be', async () => {
  const { team, page } = await opened('events')
  await page.getByLabel('URL on this machine').fill('https://example.com/events')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await page.getByRole('status').getByText('allowRemote').waitFor()
  await page.getByLabel('URL on this machine').fill('http://localhost:9/events')
  await page.getByLabel('Types').fill('daily.data.*.created')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await page.getByRole('cell', { name: 'http://localhost:9/events', exact: true }).waitFor()
  expect(team.webhooks.list()).toMatchObject([{ types: ['daily.data.*.created'] }])
  await page.getByRole('button', { name: 'Remove the webhook' }).click()
  await page.getByText('Nobody receives events.').waitFor()
})

inChromium('creates users, connections and appointments, and takes them back', async () => {
  const { team, page } = await opened('users')
  await page.getByLabel('First name').fill('Grace')
  await page.getByLabel('Last name').fill('Hopper')
  await page.getByRole('button', { name: 'Create user' }).click()
  await page.getByRole('cell', { name: 'Grace Hopper', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Connections' }).click()
  await page.getByLabel('User').getByText('Grace Hopper').waitFor({ state: 'attached' })
  await page.getByLabel('Provider').selectOption('garmin')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('cell', { name: 'garmin', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Disconnect garmin' }).click()
  await page.getByText('Nobody is connected yet.').waitFor()
  await page.getByRole('link', { name: 'Appointments' }).click()
  await page.getByLabel('User').selectOption({ label: await labelOf(page, 'Grace Hopper') })
  await page.getByRole('button', { name: 'Create appointment' }).click()
  await page.getByLabel(/^Move appointment/).selectOption('in progress')
  await page.getByRole('cell', { name: 'in progress', exact: true }).waitFor()
  await page.getByLabel(/^Move appointment/).selectOption('confirmed')
  await page.getByRole('status').getByText('cannot change from in_progress').waitFor()
  const [user] = team.users.list()
  expect(team.appointments.list()).toMatchObject([
    { user_id: user?.user_id, status: 'in_progress' },
  ])
  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('button', { name: 'Delete Grace Hopper' }).click()
  await page.getByText('There are no users yet.').waitFor()
})

/** The whole label of an option that begins so. */
async function labelOf(page: Page, start: string): Promise<string> {
  const option = page.getByLabel('User').getByText(start)
  await option.waitFor({ state: 'attached' })
  return (await option.textContent()) ?? ''
}

inChromium('says how the next booking ends', async () => {
  const { team, client, page } = await opened('appointments')
  await page.getByLabel('Ends').selectOption('failed')
  await page.getByRole('button', { name: 'Decide' }).click()
  await page.getByRole('status').getByText('The next booking ends so.').waitFor()
  const { id } = team.orders.create()
  const call = client.orders.bookPhlebotomyAppointment(id, {
    booking_key: team.bookings.key(),
  })
  await expect(call).rejects.toThrow('500')
})

inChromium('shows how far a bulk import is, and ends it early', async () => {
  const { team, client, page } = await opened('imports')
  team.clock.mode = 'manual'
  const connections = Array.from({ length: 4 }, () => recipe(team.users.create().user_id))
  await client.link.bulkImport({ provider: 'oura', connections, wait_for_completion: false })
  await team.clock.advance('1ms')
  await page.getByRole('cell', { name: '1 of 4' }).waitFor()
  await page.getByRole('button', { name: 'Abort the import' }).click()
  await page.getByRole('cell', { name: 'aborted' }).waitFor()
  expect(team.bulkOps.list()).toMatchObject([{ status: 'aborted', processed: 1 }])
})

inChromium('draws the values that an aggregate query answers', async () => {
  const { team, client, page } = await opened('chart')
  const { user_id } = team.users.create()
  await page.getByLabel('User').locator(`option[value="${user_id}"]`).waitFor({ state: 'attached' })
  await page.getByLabel('Resource').selectOption('activity')
  await page.getByLabel('Column').selectOption('steps')
  await page.getByLabel('Aggregation').selectOption('max')
  await page.getByLabel('By').selectOption('week')
  await page.getByLabel('How many').fill('60')
  await page.getByRole('button', { name: 'Draw' }).click()
  await page.getByRole('img', { name: 'max of activity.steps by week' }).waitFor()
  const { results } = await client.aggregate.query(user_id, {
    timeframe: past(60, 'day', '2025-06-01'),
    queries: [query(max('activity', 'steps')).groupBy(dateTrunc('activity', 1, 'week'))],
  })
  const expected = rows(results[0]).map(({ index, max }) => [String(index).slice(0, 10), max])
  const shown = await page
    .getByRole('table')
    .locator('tbody tr')
    .evaluateAll((lines) =>
      lines.map((line) => [
        line.querySelector('td')?.textContent,
        Number(line.querySelector('data')?.value),
      ]),
    )
  expect(shown).toEqual(expected)
  expect(shown.length).toBeGreaterThan(7)
  expect(await page.locator('.plot circle').count()).toBe(shown.length)
  const heights = await page
    .locator('.plot circle')
    .evaluateAll((dots) => dots.map((dot) => Number(dot.getAttribute('cy'))))
  const order = (values: number[]) =>
    values.map((_, at) => at).sort((one, other) => (values[one] ?? 0) - (values[other] ?? 0))
  // The higher the value, the nearer to the top.
  expect(order(heights.map((height) => -height))).toEqual(
    order(expected.map(([, value]) => Number(value))),
  )
  expect(team.journal.lines('aggregate.query')).toHaveLength(2)
  team.faults.add({ on: 'aggregate.*', then: { status: 503 } })
  await page.getByRole('button', { name: 'Draw' }).click()
  await page.getByRole('alert').getByText('503').waitFor()
})

inChromium('draws sums as bars', async () => {
  const { team, page } = await opened('chart')
  const { user_id } = team.users.create()
  await page.getByLabel('User').locator(`option[value="${user_id}"]`).waitFor({ state: 'attached' })
  await page.getByLabel('Resource').selectOption('activity')
  await page.getByLabel('Aggregation').selectOption('sum')
  await page.getByLabel('By').selectOption('month')
  await page.getByLabel('How many').fill('90')
  await page.getByRole('button', { name: 'Draw' }).click()
  await page.locator('.plot .bar').first().waitFor()
  const lines = await page.getByRole('table').locator('tbody tr').count()
  expect(await page.locator('.plot .bar').count()).toBe(lines)
})

inChromium('asks for the token of the server', async () => {
  const { team, client, page } = await opened('requests', { token: 'secret' })
  await client.link.listProviders()
  await page.getByLabel('Token').fill('wrong')
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByText('This is not the token.').waitFor()
  await page.getByLabel('Token').fill('secret')
  await page.getByRole('button', { name: 'Open' }).click()
  await requestIn(page, 'link.listProviders').waitFor()
  await page.reload()
  await requestIn(page, 'link.listProviders').waitFor()
  expect(team.journal.count).toBe(1)
})

inChromium('tells why it is not let in', async () => {
  const { page } = await opened('requests')
  await page.route('**/__mock__/api/teams', (route) =>
    route.fulfill({ status: 403, json: { detail: 'Only this machine may control the mock' } }),
  )
  await page.reload()
  await page.getByRole('alert').getByText('Only this machine may control the mock').waitFor()
  await page.unroute('**/__mock__/api/teams')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('This team has made no request yet.').waitFor()
})

inChromium('shows one team at a time, and finds the one that is busy', async () => {
  const { client, page, url } = await opened('requests')
  await page.getByText('This team has made no request yet.').waitFor()
  await new ServiceClient({ apiKey: 'suite-7', baseUrl: url }).link.listProviders()
  await page.getByRole('button', { name: 'Show suite-7, 1 request' }).click()
  await requestIn(page, 'link.listProviders').waitFor()
  await client.labTests.listMarkers()
  await page.getByLabel('Team').focus()
  await page.getByLabel('Team').selectOption({ index: 0 })
  await requestIn(page, 'labTests.listMarkers').waitFor()
  expect(await requestIn(page, 'link.listProviders').count()).toBe(0)
})

inChromium('stands still while it is paused, and leaves no trace of itself', async () => {
  const { team, client, page } = await opened('requests')
  await client.link.listProviders()
  await requestIn(page, 'link.listProviders').waitFor()
  await page.getByRole('button', { name: 'Live' }).click()
  await page.getByRole('button', { name: 'Paused', pressed: true }).waitFor()
  let asked = 0
  page.on('request', () => {
    asked += 1
  })
  await client.labTests.listMarkers()
  // Longer than a second has passed when another page has asked twice.
  const other = await page.context().newPage()
  await other.goto(page.url())
  await requestIn(other, 'labTests.listMarkers').waitFor()
  await client.labTests.list()
  await requestIn(other, 'labTests.list').waitFor()
  expect(asked).toBe(0)
  await page.getByRole('button', { name: 'Paused' }).click()
  await requestIn(page, 'labTests.listMarkers').waitFor()
  expect(team.journal.count).toBe(3)
})

inChromium('tells when the server is gone', async () => {
  const mock = createMock()
  const server = await serve(mock, { gracePeriod: 0 })
  const context = await (browser as Browser).newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(`${server.url}/__mock__/`)
  await page.getByText('This team has made no request yet.').waitFor()
  await server.close()
  await page.getByRole('alert').getByText('The server does not answer. Trying again').waitFor()
  const again = await serve(mock, { gracePeriod: 0, port: Number(new URL(server.url).port) })
  onTestFinished(() => again.close())
  await page.getByRole('alert').waitFor({ state: 'detached' })
})

inChromium('shows hostile text as the text that it is', async () => {
  const { team, client, page } = await opened('users')
  const first_name = '<img src=x onerror="document.title=1">'
  const { user_id } = team.users.create({ info: { first_name, last_name: '\u202egnorw 👩‍🚀' } })
  await page.getByRole('cell', { name: `${first_name} \\u{202e}gnorw 👩‍🚀`, exact: true }).waitFor()
  await client.insurance.create(user_id, insuranceBody({ member_id: '</script>\u0000\ud800' }))
  await page.getByRole('link', { name: 'Requests' }).click()
  await requestIn(page, 'insurance.create').click()
  await page.getByText('"</script>').first().waitFor()
  expect(await page.locator('main img').count()).toBe(0)
  expect(await page.title()).toBe('Mock inspector')
})

inChromium('is at hand on the keyboard alone', async () => {
  const { client, page } = await opened('requests')
  await client.link.listProviders()
  await client.labTests.listMarkers()
  await client.labTests.list()
  await requestIn(page, 'labTests.listMarkers').waitFor()
  await page.keyboard.press('Tab')
  await page
    .getByRole('link', { name: 'Skip to the content' })
    .and(page.locator(':focus'))
    .waitFor()
  await page.keyboard.press('Enter')
  for (const target of ['searchbox', 'Clear', 'labTests.list']) {
    await page.keyboard.press('Tab')
    const named = page.getByRole('button', { name: target, exact: target === 'Clear' })
    await page.getByRole('searchbox').or(named).and(page.locator(':focus')).waitFor()
  }
  await page.keyboard.press('ArrowDown')
  await page.getByRole('heading', { name: 'labTests.listMarkers' }).waitFor()
  await page.keyboard.press('End')
  await page.getByRole('heading', { name: 'link.listProviders' }).waitFor()
  await requestIn(page, 'link.listProviders').and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Home')
  await page.getByRole('heading', { name: 'labTests.list', exact: true }).waitFor()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await page.getByRole('searchbox').and(page.locator(':focus')).waitFor()
})

/** The panels beside the requests. */
const places = [
  'clock',
  'users',
  'connections',
  'appointments',
  'imports',
  'faults',
  'events',
  'chart',
]

const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

/** What an independent checker of accessibility finds wrong with a page as it is. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`,
  )
}

inChromium.each([
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'light', width: 390 },
  { colorScheme: 'dark', width: 390 },
] as const)(
  'is accessible and within its width, $colorScheme and $width wide',
  async ({ colorScheme, width }) => {
    const { team, client, page } = await opened('requests', { colorScheme, width })
    const found: Record<string, unknown> = {}
    const look = async (name: string) => {
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      const wrong = await violations(page)
      if (wrong.length > 0 || Number(overflow) > 0) found[name] = { wrong, overflow }
    }
    await page.getByText('This team has made no request yet.').waitFor()
    await look('no requests')
    for (const place of places) {
      await page.evaluate(`location.hash = '#/${place}'`)
      await page.locator('.empty').first().waitFor()
      await look(`empty ${place}`)
    }
    await fill(team, client)
    await page.evaluate(`location.hash = '#/requests/2'`)
    await page.getByText('State changes').waitFor()
    await look('requests')
    for (const place of places.slice(0, -1)) {
      await page.evaluate(`location.hash = '#/${place}'`)
      await page.getByRole('table').first().waitFor()
      await look(place)
    }
    await page.evaluate(`location.hash = '#/chart'`)
    await page.getByRole('button', { name: 'Draw' }).click()
    await page.getByRole('table').waitFor()
    await look('chart')
    expect(found).toEqual({})
  },
  60_000,
)

/** Lets a team have something of everything. */
async function fill(team: Team, client: ServiceClient): Promise<void> {
  const { user_id } = team.users.create()
  await client.link.listProviders()
  await client.orders.bookPhlebotomyAppointment(team.orders.create().id, {
    booking_key: 'bk_confirm',
  })
  team.clock.mode = 'manual'
  await client.link.bulkImport({
    provider: 'garmin',
    connections: [recipe(user_id)],
    wait_for_completion: false,
  })
  team.connections.create({ user_id, provider: 'oura' })
  team.appointments.create({ status: 'cancelled' })
  team.appointments.create({ status: 'pending' })
  team.faults.add({ on: 'link.*', then: 'lose_answer' })
  team.faults.add({ on: 'orders.*', when: { nth: 3 }, then: { status: 503, retryAfter: '5s' } })
  team.webhooks.add({ url: 'http://localhost:9/events', types: ['labtest.*'] })
  await client.link.listProviders().catch(() => {})
}
