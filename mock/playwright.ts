import {
  test as base,
  expect as baseExpect,
  type Expect,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestInfo,
  type TestType,
} from '@playwright/test'
import { explainTeam } from './diagnostics/explain-team.ts'
import { journalMatchers } from './diagnostics/journal-matchers.ts'
import { connectMock } from './remote/connect.ts'
import type { RemoteTeam } from './remote/remote-team.ts'

/** The fixtures for each test. */
export interface MockFixtures {
  /**
   * A new team for each test. If the test fails, the output of `explainTeam` and a screenshot of the inspector are
   * attached to the test. An otherwise passing test fails if one of the team's faults affected no request.
   */
  team: RemoteTeam
}

/** The fixtures that a worker creates once for all its tests. */
export interface MockWorkerFixtures {
  /**
   * The URL of the mock. Default: the URL of a mock that the worker serves in `auto` clock mode. Pages from any origin
   * can call that mock.
   */
  mockUrl: string
}

type BrowserOptions = Pick<PlaywrightWorkerArgs, 'playwright'> &
  Pick<PlaywrightWorkerOptions, 'browserName' | 'headless' | 'channel' | 'launchOptions'>

/**
 * Extends Playwright's `test` with a separate team for each test.
 *
 * @example
 * import { expect, test } from 'health-lab-sdk/mock/playwright'
 *
 * test('lists the providers', async ({ page, team }) => {
 *   await page.goto(`http://127.0.0.1:3000/?key=${team.apiKey}`)
 *   await expect(team).toHaveReceived('link.listProviders')
 * })
 */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & MockFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & MockWorkerFixtures
> = base.extend<MockFixtures, MockWorkerFixtures>({
  mockUrl: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern.
    async ({}, use) => {
      const { serve } = await import('./server/server.ts')
      const server = await serve({ clock: 'auto' }, { cors: true, gracePeriod: 0 })
      await use(server.url)
      await server.close()
    },
    { scope: 'worker', option: true },
  ],
  team: async (
    { mockUrl, playwright, browserName, headless, channel, launchOptions },
    use,
    testInfo,
  ) => {
    const team = connectMock(mockUrl, `test-${crypto.randomUUID()}`)
    await use(team)
    const { status, expectedStatus } = testInfo
    if (status === 'skipped') return
    if (status === expectedStatus) return team.faults.assertAllUsed()
    const browser = { playwright, browserName, headless, channel, launchOptions }
    await attachTeam(team, mockUrl, browser, testInfo)
  },
})

/** Extends Playwright's `expect` with `toHaveReceived`, which returns a promise. */
export const expect: Expect<typeof journalMatchers> = baseExpect.extend(journalMatchers)

async function attachTeam(
  team: RemoteTeam,
  url: string,
  browser: BrowserOptions,
  testInfo: TestInfo,
): Promise<void> {
  const explanation = await explainTeam(team)
  await testInfo.attach('team', { body: explanation, contentType: 'text/plain' })
  try {
    const path = testInfo.outputPath('inspector.png')
    await saveScreenshot(`${url}/__mock__/#/requests`, path, team.apiKey, browser)
    await testInfo.attach('inspector', { path, contentType: 'image/png' })
  } catch (error) {
    // A second error must not hide why the test failed.
    const body = `No inspector screenshot: ${error}`
    await testInfo.attach('inspector', { body, contentType: 'text/plain' })
  }
}

/** Takes a screenshot in a separate browser, because tests without a page have no browser. */
async function saveScreenshot(
  address: string,
  path: string,
  apiKey: string,
  { playwright, browserName, headless, channel, launchOptions }: BrowserOptions,
): Promise<void> {
  const options = { headless, ...(channel && { channel }), ...launchOptions }
  const browser = await playwright[browserName].launch(options)
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    page.setDefaultTimeout(10_000)
    await page.addInitScript((key) => sessionStorage.setItem('team', key), apiKey)
    await page.goto(address)
    await page
      .getByRole('list', { name: /^Requests/ })
      .or(page.getByText('This team has no requests yet.'))
      .first()
      .waitFor()
    await page.screenshot({ path, fullPage: true })
  } finally {
    await browser.close()
  }
}
