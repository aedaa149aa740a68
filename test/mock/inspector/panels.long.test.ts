import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { dateTrunc, max, past, query, rows } from '../../../src/index.ts'
import { recipe } from '../../support/bodies.ts'
import { goTo, inChromium, serveInspector, useChromium } from '../../support/inspector.ts'

useChromium()

inChromium('moves the clock until a pending booking is confirmed', async () => {
  const { team, client, open } = await serveInspector()
  const order = team.orders.create()
  const { id } = await client.orders.bookPhlebotomyAppointment(order.id, {
    booking_key: 'bk_confirm_after_2h',
    async_confirmation: true,
    async_confirmation_timeout_millisecond: 172_800_000,
  })
  const page = await open('clock')
  await page.getByText('The booking is confirmed').waitFor()
  await page
    .getByRole('link', { name: `Order ${order.id.slice(0, 8)}` })
    .first()
    .waitFor()
  await page.getByRole('radio', { name: /^manual/ }).check()
  await page.getByRole('status').getByText('The clock is manual.').waitFor()
  await page.getByRole('button', { name: '+1h,' }).click()
  await page.getByText('59 min 57 s', { exact: true }).waitFor()
  expect(team.appointments.get(id)?.status).toBe('pending')
  await page.getByRole('button', { name: 'Step to the next event' }).click()
  await page.getByText('No events are pending.').waitFor()
  expect(team.appointments.get(id)?.status).toBe('confirmed')
  await page.getByLabel('Time in UTC').fill('2025-07-01T12:30')
  await page.getByRole('button', { name: 'Move to this time' }).click()
  await page.getByRole('main').getByText('Tue, 1 Jul 2025').waitFor()
  expect(team.clock.now().toISOString()).toBe('2025-07-01T12:30:00.000Z')
  await goTo(page, 'Appointments')
  await page.getByRole('cell', { name: 'confirmed', exact: true }).waitFor()
})

inChromium('adds a fault, counts the requests that it affects, and removes it', async () => {
  const { team, client, open } = await serveInspector()
  const page = await open('faults')
  await page.getByRole('combobox', { name: 'On', exact: true }).selectOption('link.*')
  await page.getByLabel('When').selectOption('first')
  await page.getByLabel('Effect').selectOption('returns a status')
  await page.getByRole('spinbutton', { name: 'Status' }).fill('418')
  await page.getByRole('button', { name: 'Add fault' }).click()
  const fault = page.getByRole('row').filter({ hasText: 'returns 418' })
  await fault.getByRole('cell', { name: '0', exact: true }).waitFor()
  await expect(client.link.listProviders()).rejects.toThrow('418')
  await fault.getByRole('cell', { name: '1', exact: true }).waitFor()
  expect(team.faults.list().map(({ fault }) => fault)).toEqual([
    { on: 'link.*', when: { first: 1 }, then: { status: 418 } },
  ])
  await fault.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('There are no faults.').waitFor()
  expect(await client.link.listProviders()).not.toHaveLength(0)
})

inChromium('adds faults with each kind of effect', async () => {
  const effects = [
    { effect: 'latency', then: { latency: '3s' } },
    { effect: 'rateLimit', then: { rateLimit: { requests: 10, per: '1m' } } },
    { effect: 'cut_mid_body', then: 'cut_mid_body' },
    { effect: 'redirect', then: { redirect: 'https://elsewhere.test/' } },
    { effect: 'nulls', then: { drift: 'nulls' } },
    { effect: 'bomb', then: { archive: 'bomb' } },
  ]
  const { team, open } = await serveInspector()
  const page = await open('faults')
  await page.getByLabel('When').selectOption('random requests')
  await page.getByLabel('Percent').fill('25')
  for (const [index, { effect }] of effects.entries()) {
    await page.getByLabel('Effect').selectOption(effect)
    await page.getByRole('button', { name: 'Add fault' }).click()
    await page.getByText('25 % of requests').nth(index).waitFor()
  }
  expect(team.faults.list().map(({ fault }) => fault)).toEqual(
    effects.map(({ then }) => ({ on: '*', when: { probability: 0.25 }, then })),
  )
})

inChromium('triggers an event of a type for a user', async () => {
  const { team, open } = await serveInspector()
  const ada = team.users.create({ info: { first_name: 'Ada', last_name: 'Byron' } })
  const page = await open('events')
  await page.getByLabel('Type', { exact: true }).fill('daily.data.glucose.created')
  await page.getByLabel('User').selectOption(ada.user_id)
  await page.getByRole('button', { name: 'Send event' }).click()
  const row = page.getByRole('row').filter({ hasText: 'daily.data.glucose.created' })
  await row.getByText('Ada Byron').waitFor()
  expect(team.events.last()).toMatchObject({
    event_type: 'daily.data.glucose.created',
    user_id: ada.user_id,
  })
})

inChromium('adds and removes webhooks, and shows why a URL is rejected', async () => {
  const { team, open } = await serveInspector()
  const page = await open('webhooks')
  await page.getByLabel('URL on this machine').fill('https://example.com/events')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await page.getByRole('status').getByText('allowRemote').waitFor()
  await page.getByLabel('URL on this machine').fill('http://localhost:9/events')
  await page.getByLabel('Types', { exact: true }).fill('daily.data.*.created')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await page.getByRole('heading', { name: 'http://localhost:9/events' }).waitFor()
  expect(team.webhooks.list()).toMatchObject([{ types: ['daily.data.*.created'] }])
  await page.getByRole('button', { name: 'Remove the webhook' }).click()
  await page.getByText('There are no webhooks yet.').waitFor()
})

inChromium('creates and deletes users, connections and appointments', async () => {
  const { team, open } = await serveInspector()
  const page = await open('users')
  await page.getByLabel('First name').fill('Grace')
  await page.getByLabel('Last name').fill('Hopper')
  await page.getByRole('button', { name: 'Create user' }).click()
  await page.getByRole('cell', { name: 'Grace Hopper', exact: true }).waitFor()
  const [user] = team.users.list()
  const user_id = user?.user_id ?? ''
  await goTo(page, 'Connections')
  await page.getByLabel('User').selectOption(user_id)
  await page.getByLabel('Provider').selectOption('garmin')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('cell', { name: 'garmin', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Disconnect garmin' }).click()
  await page.getByText('There are no connections yet.').waitFor()
  await goTo(page, 'Appointments')
  await page.getByLabel('User').selectOption(user_id)
  await page.getByRole('button', { name: 'Create appointment' }).click()
  await page.getByLabel(/^Move appointment/).selectOption('in progress')
  await page.getByRole('cell', { name: 'in progress', exact: true }).waitFor()
  await page.getByLabel(/^Move appointment/).selectOption('confirmed')
  await page.getByRole('status').getByText('cannot change from in_progress').waitFor()
  expect(team.appointments.list()).toMatchObject([{ user_id, status: 'in_progress' }])
  await goTo(page, 'Users')
  await page.getByRole('button', { name: 'Delete Grace Hopper' }).click()
  await page.getByText('There are no users yet.').waitFor()
})

inChromium('sets the outcome of the next booking', async () => {
  const { team, client, open } = await serveInspector()
  const page = await open('appointments')
  await page.getByLabel('Outcome').selectOption('fails')
  await page.getByRole('button', { name: 'Set outcome' }).click()
  await page.getByRole('status').getByText('Updated the outcome of the next booking.').waitFor()
  const { id } = team.orders.create()
  const call = client.orders.bookPhlebotomyAppointment(id, {
    booking_key: team.bookings.key(),
  })
  await expect(call).rejects.toThrow('500')
})

inChromium('shows the progress of a bulk import, and aborts it', async () => {
  const { team, client, open } = await serveInspector()
  team.clock.mode = 'manual'
  const connections = Array.from({ length: 4 }, () => recipe(team.users.create().user_id))
  await client.link.bulkImport({ provider: 'oura', connections, wait_for_completion: false })
  await team.clock.advance('1ms')
  const page = await open('imports')
  await page.getByRole('cell', { name: '1 of 4' }).waitFor()
  await page.getByRole('button', { name: 'Abort the import' }).click()
  await page.getByRole('cell', { name: 'aborted' }).waitFor()
  expect(team.bulkOps.list()).toMatchObject([{ status: 'aborted', processed: 1 }])
})

inChromium('draws the values of an aggregate query at once as a line', async () => {
  const { team, client, open } = await serveInspector()
  const { user_id } = team.users.create()
  const page = await open('health')
  await page.getByRole('img', { name: 'mean of sleep.score by day' }).waitFor()
  await fillQuery(page, { func: 'max', unit: 'week', length: 60 })
  await page.getByRole('img', { name: 'max of activity.steps by week' }).waitFor()
  const { results } = await client.aggregate.query(user_id, {
    timeframe: past(60, 'day', '2025-06-01'),
    queries: [query(max('activity', 'steps')).groupBy(dateTrunc('activity', 1, 'week'))],
  })
  const expected = rows(results[0]).map(({ index, max }) => [String(index).slice(0, 10), max])
  await page.getByRole('cell', { name: String(expected[0]?.[0]) }).waitFor()
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
  const heights = await page
    .locator('.chart circle')
    .evaluateAll((dots) => dots.map((dot) => -Number(dot.getAttribute('cy'))))
  // The greater the value, the higher the dot.
  expect(ranks(heights)).toEqual(ranks(expected.map(([, value]) => Number(value))))
  await page.locator('.chart svg').hover()
  await page.locator('.tip').waitFor()
  // Looking at data is no request: only the call of the client is in the journal.
  expect(team.journal.lines()).toEqual(['aggregate.query 200'])
  team.configure({ aggregate: false })
  await page.getByLabel('Aggregation').selectOption('min')
  await page.getByRole('alert').getByText('Aggregate queries are not enabled').waitFor()
})

inChromium('draws sums as bars', async () => {
  const { team, open } = await serveInspector()
  team.users.create()
  const page = await open('health')
  await fillQuery(page, { func: 'sum', unit: 'month', length: 90 })
  await page.locator('.chart .bar').first().waitFor()
  await page.getByRole('img', { name: 'sum of activity.steps by month' }).waitFor()
  // Counted in one step, because chart and table are drawn again while the longer span loads.
  const [bars, lines] = await page.evaluate(() =>
    ['.chart .bar', 'table tbody tr'].map((query) => document.querySelectorAll(query).length),
  )
  expect(bars).toBe(lines)
})

inChromium('draws a gap where days have no data', async () => {
  const { team, open } = await serveInspector()
  const { user_id } = team.users.create()
  for (const day of ['25', '26', '29', '30']) {
    const values = { measured_at: `2025-05-${day}T08:00:00`, weight_kilogram: 70 }
    team.data.create({ user_id, resource: 'body', values })
  }
  const page = await open('health')
  await page.getByLabel('Resource').selectOption('body')
  await page.getByRole('img', { name: 'mean of body.weight_kilogram by day' }).waitFor()
  expect(await page.getByRole('table').locator('tbody tr').count()).toBe(4)
  const path = await page.locator('.chart path').getAttribute('d')
  // Each part of the line starts with a move.
  expect(path?.match(/M/g)).toHaveLength(2)
  await page.locator('.chart svg').hover()
  await page.locator('.tip').getByText('70', { exact: true }).waitFor()
})

inChromium(
  'labels the hours of a chart without overlaps, also where hours are missing',
  async () => {
    const { team, open } = await serveInspector()
    const { user_id } = team.users.create()
    for (const hour of ['01T08', '10T08', '10T10', '10T12', '11T07', '20T08', '20T09', '28T08']) {
      const values = { timestamp: `2025-05-${hour}:00:00`, value: 70 }
      team.data.create({ user_id, resource: 'heartrate', values })
    }
    const page = await open('health')
    await page.getByLabel('Resource').selectOption('heartrate')
    await page.getByRole('combobox', { name: 'By', exact: true }).selectOption('hour')
    await page.getByLabel('Length').fill('60')
    await page.getByRole('img', { name: 'mean of heartrate.value by hour' }).waitFor()
    await page.getByText('10 May 08:00').first().waitFor()
    // Read in one step, because the chart is drawn again while it loads.
    const boxes = await page.locator('.chart svg > text').evaluateAll((labels) =>
      labels.map((label) => {
        const { left, right } = label.getBoundingClientRect()
        return { left, right }
      }),
    )
    expect(boxes.length).toBeGreaterThan(2)
    for (const [at, box] of boxes.entries()) {
      expect(box.left).toBeGreaterThan(boxes[at - 1]?.right ?? Number.NEGATIVE_INFINITY)
    }
  },
)

/** Draws an aggregation of `activity.steps` over a number of days. */
async function fillQuery(page: Page, query: { func: string; unit: string; length: number }) {
  await page.getByLabel('Resource').selectOption('activity')
  await page.getByLabel('Column').selectOption('steps')
  await page.getByLabel('Aggregation').selectOption(query.func)
  await page.getByRole('combobox', { name: 'By', exact: true }).selectOption(query.unit)
  await page.getByLabel('Length').fill(String(query.length))
  await page.getByLabel('Length').press('Enter')
}

/** Returns the indexes of the values in ascending order. */
function ranks(values: number[]): number[] {
  return values
    .map((_, index) => index)
    .sort((one, other) => (values[one] ?? 0) - (values[other] ?? 0))
}
