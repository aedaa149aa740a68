import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, vi } from 'vitest'
import type { Team } from '../../../mock/index.ts'
import type { ServiceClient } from '../../../src/index.ts'
import { recipe } from '../../support/bodies.ts'
import { inChromium, requestIn, serveInspector, useChromium } from '../../support/inspector.ts'

useChromium()

inChromium('supports navigation with the keyboard', async () => {
  const { client, open } = await serveInspector()
  await client.link.listProviders()
  await client.labTests.listMarkers()
  await client.labTests.list()
  const page = await open('requests')
  await requestIn(page, 'labTests.listMarkers').waitFor()
  for (const [key, name] of [
    ['Tab', 'Skip to content'],
    ['Enter', 'Requests'],
    ['Tab', 'Filter by path, id, body or status'],
    ['Tab', ''],
    ['Tab', 'Clear'],
    ['Tab', 'labTests.list09:00'],
    ['ArrowDown', 'labTests.listMarkers'],
    ['End', 'link.listProviders'],
    ['Home', 'labTests.list09:00'],
    ['ArrowUp', 'labTests.list09:00'],
    ['ArrowDown', 'labTests.listMarkers'],
  ] as const) {
    await page.keyboard.press(key)
    expect(await focusedElement(page), `after ${key}`).toContain(name)
  }
  await page.getByRole('heading', { name: 'labTests.listMarkers' }).waitFor()
})

inChromium(
  'moves on from the focused request, although its selection is not drawn yet',
  async () => {
    const { client, open } = await serveInspector()
    await client.link.listProviders()
    await client.labTests.listMarkers()
    await client.labTests.list()
    const page = await open('requests')
    await requestIn(page, 'labTests.list').first().focus()
    await page.evaluate(`for (const key of ['Home', 'ArrowDown', 'ArrowDown']) {
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  }`)
    expect(await focusedElement(page)).toContain('link.listProviders')
  },
)

inChromium('shows the link of the panel in a narrow window, and starts at the top', async () => {
  const { open } = await serveInspector()
  const page = await open('snapshots', { width: 420 })
  const link = page.getByRole('link', { name: 'Snapshots' })
  const isWhole = async () => {
    const { x = 0, width = 0 } = (await link.boundingBox()) ?? {}
    expect(x).toBeGreaterThan(0)
    expect(x + width).toBeLessThan(420)
  }
  await vi.waitFor(isWhole, { timeout: 60_000 })
  await page.keyboard.press('Tab')
  expect(await focusedElement(page)).toContain('Skip to content')
})

/** Returns the label of the focused element, or its content if it has no label. */
function focusedElement(page: Page): Promise<string> {
  return page.evaluate<string>(
    `document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent`,
  )
}

const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

/** Collects what axe-core and the width of the window find in a page, by the name of each check. */
async function accessibilityOf(page: Page) {
  await page.evaluate(axe)
  const violations: Record<string, string[]> = {}
  const check = async (name: string) => {
    const found = await page.evaluate<
      string[]
    >(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) => [
      ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)),
      ...(document.documentElement.scrollWidth > innerWidth ? ['wider than the window'] : []),
    ])`)
    if (found.length > 0) violations[name] = found
  }
  return { violations, check }
}

/** The panels with a table of records. */
const panels = ['clock', 'users', 'connections', 'appointments', 'imports', 'faults', 'events']

/** The panels that show the selected one of their records. */
const detailPanels = ['orders', 'webhooks', 'rewind', 'search?search=garmin']

const show = (page: Page, panel: string) => page.evaluate(`location.hash = '#/${panel}'`)

inChromium('has accessible panels that fit a phone, without records', async () => {
  const { open } = await serveInspector()
  const page = await open('requests', { width: 390 })
  const { violations, check } = await accessibilityOf(page)
  for (const panel of ['requests', ...panels, 'orders', 'webhooks', 'health', 'snapshots']) {
    await show(page, panel)
    await page.locator(`[aria-current][href="#/${panel}"]`).waitFor()
    await page.locator('.empty').first().waitFor()
    await check(panel)
  }
  expect(violations).toEqual({})
})

inChromium.each([
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 390 },
] as const)(
  'has accessible panels that fit the window, with records ($colorScheme, $width pixels)',
  async (view) => {
    const { team, client, open } = await serveInspector()
    await createRecords(team, client)
    const page = await open('requests/2', view)
    const { violations, check } = await accessibilityOf(page)
    await page.getByText('State changes').waitFor()
    await check('requests')
    for (const panel of panels) {
      await show(page, panel)
      await page.locator(`[aria-current][href="#/${panel}"]`).waitFor()
      await page.getByRole('table').first().waitFor()
      await check(panel)
    }
    for (const panel of detailPanels) {
      await show(page, panel)
      await page.locator('.detail h2, .stack h2, .hits a').first().waitFor()
      if (panel === 'webhooks') await page.locator('.messages summary').first().click()
      await check(panel)
    }
    await show(page, 'health')
    await page.getByRole('table').waitFor()
    await page.locator('.chart svg').hover()
    await check('health')
    await show(page, 'snapshots')
    await page.getByRole('button', { name: 'Take a snapshot' }).click()
    await page.getByRole('cell', { name: 'Snapshot 1', exact: true }).waitFor()
    team.users.create()
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await page.getByText('1 record', { exact: true }).waitFor()
    await check('snapshots')
    expect(violations).toEqual({})
  },
)

/** Creates at least one record for each panel. */
async function createRecords(team: Team, client: ServiceClient): Promise<void> {
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
  team.faults.add({ on: 'link.*', then: 'lose_response' })
  team.faults.add({ on: 'orders.*', when: { nth: 3 }, then: { status: 503, retryAfter: '5s' } })
  team.webhooks.add({ url: 'http://localhost:9/events', types: ['labtest.*'] })
  team.trigger('labtest.order.updated')
  await team.webhooks.idle()
  await client.link.listProviders().catch(() => {})
}
