import { type Browser, chromium as launcher, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createMock, type Team } from '../../mock/index.ts'
import { type ServeOptions, serve } from '../../mock/server/server.ts'
import { ServiceClient } from '../../src/index.ts'
import { chromium } from './programs/chromium.ts'

let browser: Browser | undefined

/** Starts Chromium for the tests of a file. */
export function useChromium(): void {
  beforeAll(async () => {
    if (!chromium) return
    browser = await launcher.launch({ executablePath: chromium, args: ['--no-sandbox'] })
  })
  afterAll(() => browser?.close())
}

/** A test in Chromium. It is skipped only if Chromium is not installed; `.ci/run` installs it. */
export const inChromium = it.skipIf(!chromium)

interface View {
  width?: number
  colorScheme?: 'light' | 'dark'
}

interface ServedInspector {
  team: Team
  /** A client of the default team. */
  client: ServiceClient
  url: string
  /** Opens the inspector at a panel. Data that exists before needs no wait for the next poll. */
  open: (panel: string, view?: View) => Promise<Page>
}

/**
 * Serves a mock. The test fails if a page of its inspector throws an error, writes to the console or sends a request to
 * another server.
 */
export async function serveInspector(options: ServeOptions = {}): Promise<ServedInspector> {
  const mock = createMock({ seed: 42 })
  const server = await serve(mock, { gracePeriod: 0, ...options })
  onTestFinished(() => server.close())
  const { url } = server
  const team = mock.defaultTeam
  const client = new ServiceClient({ apiKey: team.apiKey, baseUrl: url, maxRetries: 0 })
  const open = async (panel: string, view: View = {}) => {
    const page = await newPage(view)
    failOnProblems(page, url)
    await page.goto(`${url}/__mock__/#/${panel}`)
    return page
  }
  return { team, client, url, open }
}

/** Opens a page that is closed after the test. */
export async function newPage({ width = 1280, colorScheme = 'light' }: View = {}): Promise<Page> {
  // Tests that need the browser are skipped without it.
  const context = await (browser as Browser).newContext({
    viewport: { width, height: 800 },
    colorScheme,
    reducedMotion: 'reduce',
  })
  onTestFinished(() => context.close())
  return context.newPage()
}

function failOnProblems(page: Page, url: string): void {
  const problems: string[] = []
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('console', (message) => {
    // Chromium logs every response with an error status.
    if (!message.text().startsWith('Failed to load resource')) problems.push(message.text())
  })
  page.on('request', (request) => {
    const target = request.url()
    if (!target.startsWith(`${url}/`) && !target.startsWith('data:')) problems.push(target)
  })
  onTestFinished(() => expect(problems).toEqual([]))
}

/** Opens another panel by its link, and waits until it is shown: the one before has controls of the same names. */
export async function goTo(page: Page, panel: string): Promise<void> {
  await page.getByRole('link', { name: panel }).click()
  await page.getByRole('heading', { name: panel, level: 1 }).waitFor()
}

/** Finds the button of a request in the list of requests. */
export function requestIn(page: Page, name: string) {
  return page.getByRole('list', { name: /^Requests/ }).getByRole('button', { name })
}
