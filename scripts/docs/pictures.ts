import { mkdirSync } from 'node:fs'
import { type Browser, chromium } from '@playwright/test'
import { ServiceClient } from 'health-lab-sdk'
import { createMock } from 'health-lab-sdk/mock'
import { type MockServer, serve } from 'health-lab-sdk/mock/server'
import {
  chromium as executablePath,
  withoutChromium,
} from '../../test/support/programs/chromium.ts'

const folder = 'docs/public/pictures'

/** The forms of each picture, keyed by the end of the file name. */
const forms = {
  '': { viewport: { width: 1200, height: 640 } },
  '-phone': { viewport: { width: 390, height: 960 }, deviceScaleFactor: 2 },
} as const

/** The panel of the inspector in each picture, and the text that is clicked there. */
const panels = {
  inspector: { address: '', text: 'orders.bookPhlebotomyAppointment' },
  rewind: { address: '#/rewind', text: 'orders.bookPhlebotomyAppointment 200' },
} as const

type PictureName = keyof typeof panels

/** Takes pictures of the inspector after a few calls. @throws {Error} without Chromium. */
export async function takePictures(): Promise<void> {
  if (!executablePath) throw new Error(`The site needs pictures: ${withoutChromium}.`)
  mkdirSync(folder, { recursive: true })
  const server = await serve(createMock({ seed: 42, now: '2025-06-01T09:00:00Z', clock: 'auto' }))
  await startHistory(server)
  await makeCalls(server)
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const end of ['', '-phone'] as const) {
      for (const name of ['inspector', 'rewind'] as const)
        await takePicture(browser, server.url, name, colorScheme, end)
    }
  }
  await browser.close()
  await server.close()
}

async function takePicture(
  browser: Browser,
  url: string,
  name: PictureName,
  colorScheme: 'light' | 'dark',
  end: keyof typeof forms,
): Promise<void> {
  const page = await browser.newPage({ ...forms[end], colorScheme, reducedMotion: 'reduce' })
  const { address, text } = panels[name]
  await page.goto(`${url}/__mock__/${address}`)
  await page.getByText(text).first().click()
  await page.screenshot({ path: `${folder}/${name}-${colorScheme}${end}.png` })
  await page.close()
}

async function startHistory({ mock, url }: MockServer): Promise<void> {
  const headers = { 'x-service-api-key': mock.defaultTeam.apiKey }
  await fetch(`${url}/__mock__/api/history`, { method: 'POST', headers })
}

async function makeCalls({ mock, url }: MockServer): Promise<void> {
  const team = mock.defaultTeam
  const client = new ServiceClient({ ...team.connection(), baseUrl: url })
  const order = team.orders.create()
  await client.labTests.listMarkers({ name: 'glucose' })
  team.faults.add({ on: 'link.listProviders', when: { first: 1 }, then: { status: 503 } })
  await client.link.listProviders()
  await client.orders.bookPhlebotomyAppointment(order.id, { booking_key: 'wrong' }).catch(() => {})
  await client.orders.bookPhlebotomyAppointment(order.id, { booking_key: 'bk_confirm' })
}
