import type { Page } from '@playwright/test'

/**
 * Opens a page of the site, and waits until its scripts handle keys and clicks, because the HTML is visible before
 * that.
 */
export async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'networkidle' })
  await page.waitForFunction(() => '__vue_app__' in (document.querySelector('#app') ?? {}))
}
