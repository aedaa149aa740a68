import type { Browser } from '@playwright/test'
import { inSite, openPage } from './open-page.ts'
import { forms, violationsOf } from './pages.ts'

/** Opens an address that does not exist, and searches for its words. Returns what does not work. */
export function checkNotFound(): Promise<string[]> {
  return inSite(async (browser, url) => {
    const findings: string[] = []
    for (const form of forms) findings.push(...(await checkForm(browser, url, form)))
    return findings
  })
}

async function checkForm(
  browser: Browser,
  url: string,
  form: (typeof forms)[number],
): Promise<string[]> {
  const page = await browser.newPage(form)
  await openPage(page, `${url}/guides/unknown-outcome.html`)
  const violations = await violationsOf(page)
  await page.getByRole('button', { name: 'Search for “unknown outcome”' }).click()
  const result = page.locator('#localsearch-list a').first()
  const link = await result.getAttribute('href', { timeout: 60_000 }).catch(() => undefined)
  await page.close()
  const isFound = link?.includes('/guides/unknown-outcomes')
  return [
    ...violations.map((finding) => `The page 404 (${form.colorScheme}): ${finding}`),
    ...(isFound ? [] : [`The search of the page 404 finds ${link ?? 'nothing'}.`]),
  ]
}
