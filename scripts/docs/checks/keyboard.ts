import type { Locator, Page } from '@playwright/test'
import { inSite, openPage } from './open-page.ts'

/** The maximum number of times that a reader must press Tab from the link "Skip to content" to the first Run button. */
const limit = 9

/** Pages that start with code that runs, and one that starts with commands. */
const pages = ['index', 'start/quickstart', 'start/tutorial', 'guides/errors-and-retries']

/** Uses pages like a reader without a mouse. Returns the elements that the keyboard does not reach. */
export function checkKeyboard(): Promise<string[]> {
  return inSite(async (browser, url) => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    const findings: string[] = []
    for (const path of pages) {
      await openPage(page, `${url}/${path}.html`)
      const tabs = await tabsToRun(page)
      if (tabs > limit) findings.push(`/${path}.html: more than ${limit} tabs to the first Run.`)
    }
    findings.push(...(await checkTypes(page)), ...(await checkSearchFocus(page)))
    return [...findings, ...(await checkSidebar(page, url))]
  })
}

async function tabsToRun(page: Page): Promise<number> {
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  for (let tabs = 1; tabs <= limit; tabs += 1) {
    await page.keyboard.press('Tab')
    const isRun = () => document.activeElement?.matches('[data-action="run"]')
    if (await page.evaluate(isRun)) return tabs
  }
  return limit + 1
}

async function checkTypes(page: Page): Promise<string[]> {
  const block = page.locator('pre:has(.typed)').first()
  const note = page.locator('.type-note')
  await block.focus()
  await page.keyboard.press('ArrowRight')
  const isShown = await becomes(note, 'visible')
  await page.keyboard.press('Escape')
  const isHidden = await becomes(note, 'hidden')
  return isShown && isHidden ? [] : ['The arrow keys do not show the types of names.']
}

async function checkSearchFocus(page: Page): Promise<string[]> {
  const button = page.locator('[data-action="run"]').first()
  await button.focus()
  await page.keyboard.press('Control+k')
  await page.locator('#localsearch-input').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('#localsearch-input').waitFor({ state: 'detached' })
  const focused = button.and(page.locator(':focus'))
  const isFocused = await becomes(focused, 'visible')
  return isFocused ? [] : ['The search box does not return the focus when it closes.']
}

/** Pages at the end of their part of the sidebar. The last one is in a group with no other headings. */
const lastPages = [
  'guides/troubleshooting',
  'trust/conformance',
  'reference/operations/labTests-list',
]

/** Checks that the sidebar scrolls to pages at its end, and that a group collapses with a key. */
async function checkSidebar(page: Page, url: string): Promise<string[]> {
  const findings: string[] = []
  for (const path of lastPages) {
    await openPage(page, `${url}/${path}.html`)
    const link = page.locator('.VPSidebar .is-active.is-link a')
    const place = await link.boundingBox()
    if (!place || place.y + place.height > 900) findings.push(`The sidebar does not show /${path}.`)
  }
  const group = page.locator('.VPSidebar section.has-active > .item')
  await group.press('Enter')
  const isCollapsed = await becomes(page.locator('.VPSidebar .is-active.level-1 a'), 'hidden')
  if (!isCollapsed || (await group.getAttribute('aria-expanded')) !== 'false')
    findings.push('The Enter key does not collapse a group of the sidebar.')
  return findings
}

/** Waits at most 30 seconds. */
async function becomes(element: Locator, state: 'visible' | 'hidden'): Promise<boolean> {
  const waited = element.waitFor({ state, timeout: 30_000 })
  return waited.then(
    () => true,
    () => false,
  )
}
