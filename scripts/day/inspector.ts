import { chromium } from '@playwright/test'

export interface DebuggedDelivery {
  /** Returns a description of each attempt, newest first. */
  attempts(): Promise<string[]>
  /** Returns the endpoint's secret, as a person would copy it. */
  secret(): Promise<string>
  /** Resolves when the delivery has this status. */
  redeliver(status: string): Promise<void>
  close(): Promise<void>
}

/** Advances the clock to the next attempts before it opens the delivery. */
export async function openDelivery(
  executablePath: string,
  url: string,
  apiKey: string,
  type: string,
): Promise<DebuggedDelivery> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const page = await browser.newPage()
  await page.goto(`${url}/__mock__/#/webhooks`)
  await page.getByLabel('Team').selectOption(apiKey)
  await page
    .getByRole('button', { name: /^Move clock to/ })
    .first()
    .click()
  const message = page.locator('.messages > li').filter({ hasText: type }).first()
  await message.locator('summary').first().click()
  return {
    attempts: () => message.locator('.attempts > li').allInnerTexts(),
    secret: async () => {
      const title = await page.getByTitle(/^Copy whsec_/).getAttribute('title')
      return title?.replace('Copy ', '') ?? ''
    },
    redeliver: async (status) => {
      await message.getByRole('button', { name: /^Redeliver/ }).click()
      await message.locator('.attempts > li').filter({ hasText: status }).first().waitFor()
    },
    close: () => browser.close(),
  }
}
