import { chromium } from '@playwright/test'

/** The page of a failed delivery in the inspector. */
export interface DebuggedDelivery {
  /** Returns the texts of the attempts, the latest first. */
  attempts(): Promise<string[]>
  /** Returns the secret of the endpoint, as a person would copy it. */
  secret(): Promise<string>
  /** Delivers the message again, and resolves when it has a status. */
  redeliver(status: string): Promise<void>
  close(): Promise<void>
}

/** Moves the clock to the next attempts in Chromium, and opens the one of an event. */
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
