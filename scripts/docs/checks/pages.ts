import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page, Request } from '@playwright/test'
import { inSite, openPage } from './open-page.ts'
import { shownPages } from './shown-pages.ts'

/** The forms in which each page is checked. Checking all four combinations would not find more problems. */
export const forms = [
  { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
] as const

/** The maximum transfer size of a page with gzip, in kilobytes. The search index is loaded on demand. */
const limits: Record<string, number> = { document: 40, script: 90, stylesheet: 25, total: 150 }

const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

/**
 * Opens pages in Chromium. Returns accessibility violations, errors, pages that are too wide, and pages that transfer
 * too much.
 */
export function checkPages(): Promise<string[]> {
  return inSite(async (browser, site) => {
    const findings: string[] = []
    for (const path of shownPages) {
      const url = `${site}/${path === 'index' ? '' : `${path}.html`}`
      for (const form of forms) findings.push(...(await checkPage(browser, url, form)))
    }
    return [...findings, ...(await checkSearchBox(browser, site))]
  })
}

async function checkPage(
  browser: Browser,
  url: string,
  form: (typeof forms)[number],
): Promise<string[]> {
  const page = await browser.newPage(form)
  const findings: string[] = []
  const requests: Request[] = []
  page.on('pageerror', ({ message }) => findings.push(message))
  page.on('console', (message) => message.type() === 'error' && findings.push(message.text()))
  page.on('request', (request) => requests.push(request))
  await openPage(page, url)
  findings.push(...(await violationsOf(page)), ...tooLarge(sizesOf(requests)))
  await page.close()
  const { pathname } = new URL(url)
  return findings.map((finding) => `${pathname} (${form.colorScheme}): ${finding}`)
}

/** Returns the accessibility violations of a page, and whether it is wider than the window. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate<
    string[]
  >(`axe.run({ resultTypes: ['violations'], rules: { 'label-content-name-mismatch': { enabled: true } } }).then(({ violations }) => [
    ...violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => id + ': ' + html.slice(0, 200))),
    ...(document.documentElement.scrollWidth > innerWidth ? ['wider than the window'] : []),
  ])`)
}

/** Returns gzipped sizes in kilobytes, by kind and in total. */
function sizesOf(requests: readonly Request[]): Record<string, number> {
  const sizes: Record<string, number> = { total: 0 }
  for (const request of requests) {
    const kind = request.resourceType()
    // VitePress preloads the pages behind visible links. These requests have a different kind.
    if (!(kind in limits)) continue
    const { pathname } = new URL(request.url())
    const file = join('site', pathname.endsWith('/') ? `${pathname}index.html` : pathname)
    const kilobytes = gzipSync(readFileSync(file)).length / 1000
    for (const key of [kind, 'total']) sizes[key] = (sizes[key] ?? 0) + kilobytes
  }
  return sizes
}

function tooLarge(sizes: Record<string, number>): string[] {
  return Object.entries(limits).flatMap(([kind, limit]) => {
    const size = sizes[kind] ?? 0
    return size > limit ? [`${kind}: ${size.toFixed(0)} kB, at most ${limit}`] : []
  })
}

/** Searches like a reader, because the search options are part of the page as a string. */
async function checkSearchBox(browser: Browser, url: string): Promise<string[]> {
  const page = await browser.newPage()
  await openPage(page, url)
  await page.keyboard.press('Control+k')
  await page.locator('#localsearch-input').fill('pagination')
  const result = page.locator('#localsearch-list a').first()
  await result.waitFor({ timeout: 60_000 }).catch(() => undefined)
  const link = await result.getAttribute('href', { timeout: 30_000 }).catch(() => undefined)
  const links = page.locator('#localsearch-list > li > a')
  const hits = await links.evaluateAll((found) => found.map((one) => Reflect.get(one, 'pathname')))
  await page.close()
  const repeated = hits.filter((path) => hits.filter((other) => other === path).length > 2)
  return [
    ...(link?.includes('/guides/pagination') ? [] : [`The search box finds ${link ?? 'nothing'}.`]),
    ...repeated.map((path) => `The search box shows ${path} more than twice.`),
  ]
}
