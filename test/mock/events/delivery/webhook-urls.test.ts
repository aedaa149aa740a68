import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import type { WebhookInput } from '../../../../mock/index.ts'
import { nodeEventHandler, type ServiceEvent } from '../../../../src/events/index.ts'
import { respond, scripted, secret, send, teamOf } from './webhook-team.ts'

/** Starts a server on this machine. Returns its URL. */
async function served(listener: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`
}

it('delivers to a server on this machine', async () => {
  const team = teamOf()
  const handled: unknown[] = []
  const fallback = (event: ServiceEvent) => handled.push(event.event_type)
  const url = await served(nodeEventHandler({ secrets: secret, on: {}, fallback }))
  const hook = team.webhooks.add({ url, secret })
  team.trigger('daily.data.sleep.created')
  await team.webhooks.idle()
  expect(handled).toEqual(['daily.data.sleep.created'])
  expect(hook.deliveries()).toMatchObject([{ outcome: 'delivered', status: 200 }])
})

it('follows no redirect', async () => {
  const team = teamOf()
  const asked: unknown[] = []
  const url = await served((request, response) => {
    asked.push(request.url)
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  const hook = team.webhooks.add({ url })
  send(team, 1)
  await team.webhooks.idle()
  expect(asked).toEqual(['/events'])
  expect(hook.deliveries()).toMatchObject([{ outcome: 'failed' }])
})

it('reports a delivery without a response', async () => {
  const team = teamOf()
  const url = await served((request) => request.socket.destroy())
  const silent = team.webhooks.add({ url })
  const throwing = team.webhooks.add({
    handler: () => {
      throw new Error('broken')
    },
  })
  send(team, 1)
  await team.webhooks.idle()
  expect(silent.deliveries()).toMatchObject([{ error: 'no_response', status: undefined }])
  expect(throwing.deliveries()).toMatchObject([{ error: 'threw' }])
})

it.each<[string, WebhookInput]>([
  ['nothing to deliver to', {}],
  ['a url and a handler', { url: 'http://localhost:1', handler: () => respond(200) }],
  ['no url', { url: 'localhost' }],
  ['another protocol', { url: 'ftp://localhost/' }],
  ['a password in its url', { url: 'http://someone:hunter2@localhost/' }],
  ['another machine', { url: 'https://receiver.example/events' }],
  ['another machine that looks like this one', { url: 'https://127.0.0.1.receiver.example/' }],
  ['a blank secret', { handler: () => respond(200), secret: '' }],
  ['a secret that is none', { handler: () => respond(200), secret: 'whsec_%' }],
  ['too large a share', { handler: () => respond(200), duplicates: 1.1 }],
  ['a share that is none', { handler: () => respond(200), lostResponses: Number.NaN }],
  ['no concurrency', { handler: () => respond(200), concurrency: 0 }],
  ['half an order', { handler: () => respond(200), reorder: 1.5 }],
])('rejects a webhook with %s', (_, input) => {
  const team = teamOf()
  expect(() => team.webhooks.add(input)).toThrow(
    expect.objectContaining({ code: 'invalid_option' }),
  )
  expect(team.webhooks.list()).toEqual([])
})

it('delivers to another machine if it is allowed, or with a given fetch', async () => {
  const team = teamOf()
  const url = 'https://receiver.example/events'
  const urls: string[] = []
  const fetch = (request: Request) => {
    urls.push(request.url)
    return respond(200)
  }
  team.webhooks.add({ url, fetch })
  expect(team.webhooks.add({ url, allowRemote: true }).url).toBe(url)
  team.webhooks.remove('webhook_2')
  send(team, 1)
  await team.webhooks.idle()
  expect(urls).toEqual([url])
})

it('does not let a snapshot allow deliveries to another machine', async () => {
  const team = teamOf()
  team.webhooks.add({ id: 'far', url: 'https://receiver.example/', fetch: scripted(200).handler })
  const other = teamOf()
  other.restore(team.snapshot())
  send(other, 1)
  await other.webhooks.idle()
  expect(other.webhooks.get('far')).toMatchObject({ pending: 1 })
  expect(other.webhooks.get('far')?.deliveries()).toEqual([])
})
