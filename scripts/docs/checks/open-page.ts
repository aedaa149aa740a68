import { type Browser, chromium, type Page } from '@playwright/test'
import { chromium as executablePath } from '../../../test/support/programs/chromium.ts'
import { serveSite } from './serve-site.ts'

/** Runs a check of the built site in Chromium. Without Chromium, nothing is checked. */
export async function inSite(
  check: (browser: Browser, url: string) => Promise<string[]>,
): Promise<string[]> {
  if (!executablePath) return []
  await using site = await serveSite()
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    return await check(browser, site.url)
  } finally {
    await browser.close()
  }
}

/**
 * Opens a page of the site, and waits until its scripts handle keys and clicks, because the HTML is visible before
 * that.
 */
export async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'networkidle' })
  await page.waitForFunction(() => '__vue_app__' in (document.querySelector('#app') ?? {}))
}
