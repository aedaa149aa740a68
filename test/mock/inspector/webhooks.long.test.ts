import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { inChromium, serveInspector, useChromium } from '../../support/inspector.ts'

useChromium()

/** Starts a receiver that responds with the current status, and returns its URL. */
async function receiver(response: { status: number }): Promise<string> {
  const server = createServer((request, reply) => {
    request.resume()
    reply.writeHead(response.status, { 'x-receiver': 'own' })
    reply.end(JSON.stringify({ reason: `responds with ${response.status}` }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // A server that listens on a port has an address.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`
}

inChromium('shows why a delivery fails, its next attempt and the one that succeeds', async () => {
  const response = { status: 500 }
  const { team, open } = await serveInspector()
  team.clock.mode = 'manual'
  const page = await open('webhooks')
  await page.getByLabel('URL on this machine').fill(await receiver(response))
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await page.getByText('Nothing has been delivered yet.').waitFor()
  await page.getByRole('button', { name: 'Send event' }).click()
  const message = page.locator('.messages > li')
  await message.locator('summary').first().click()
  await message.getByText('"responds with 500"').waitFor()
  await message.getByText('Response headers').click()
  await message.getByText('x-receiver', { exact: true }).waitFor()
  await message.getByText('Request headers').click()
  await message.getByText('webhook-signature').waitFor()
  await page.getByRole('cell', { name: 'in 5 s' }).waitFor()
  await page.getByRole('cell', { name: '2 of 8' }).waitFor()
  response.status = 204
  await page.getByRole('button', { name: /^Move clock to/ }).click()
  await message.getByText('Attempt 2').waitFor()
  await message.getByText('204').first().waitFor()
  expect(
    team.webhooks
      .list()[0]
      ?.deliveries()
      .map(({ status }) => status),
  ).toEqual([500, 204])
})

inChromium('redelivers a message and a dead letter', async () => {
  const response = { status: 200 }
  const { team, open } = await serveInspector()
  team.clock.mode = 'manual'
  const webhook = team.webhooks.add({ url: await receiver(response), types: ['daily.*'] })
  team.trigger('daily.data.sleep.created')
  await team.webhooks.idle()
  const page = await open('webhooks')
  const message = page.locator('.messages > li')
  await message.locator('summary').first().click()
  await message.getByRole('button', { name: 'Redeliver' }).click()
  await message.getByText('2 attempts').waitFor()
  response.status = 503
  team.trigger('daily.data.activity.created')
  await team.clock.advance('2d')
  await page.getByRole('heading', { name: /^Dead letters/ }).waitFor()
  response.status = 200
  await page.getByRole('button', { name: 'Redeliver all' }).click()
  await page.getByRole('heading', { name: /^Dead letters/ }).waitFor({ state: 'detached' })
  await team.webhooks.idle()
  expect(webhook.deliveries().at(-1)).toMatchObject({
    event_type: 'daily.data.activity.created',
    status: 200,
  })
})
