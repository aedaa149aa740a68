import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { chromium as executablePath } from '../../test/support/programs/chromium.ts'
import { serveSite } from './checks/serve-site.ts'
import { shownPages } from './checks/shown-pages.ts'

/**
 * Takes screenshots of the built site, light and dark, on a phone and a desktop: `npm run lab screenshots`, or `npm run
 * lab screenshots -- guides/webhooks` for some pages. `--full` shows whole pages. The folder is `scratch/screenshots`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { full: { type: 'boolean', default: false } },
})
const pages = positionals.length > 0 ? positionals : shownPages
const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } }
const folder = 'scratch/screenshots'

mkdirSync(folder, { recursive: true })
await using site = await serveSite()
const browser = await chromium.launch({
  executablePath: executablePath ?? '',
  args: ['--no-sandbox'],
})
for (const colorScheme of ['light', 'dark'] as const) {
  for (const [size, viewport] of Object.entries(sizes)) {
    const page = await browser.newPage({ viewport, colorScheme })
    for (const path of pages) {
      await page.goto(`${site.url}/${path === 'index' ? '' : `${path}.html`}`)
      await page.waitForLoadState('networkidle')
      const name = `${path.replaceAll('/', '-')}-${size}-${colorScheme}.png`
      await page.screenshot({ path: join(folder, name), fullPage: values.full })
    }
    await page.close()
  }
}
await browser.close()
console.log(`${pages.length} pages in 4 forms: ${folder}`)
