/** Events received with Express, sent by the mock as the service would: signed, and repeated when they fail. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { createMock } from '../mock/index.ts'
import { nodeEventHandler, recordsOf, sourceOf } from '../src/events/index.ts'
import { check, close, fact, part } from './support/terminal.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const nights: number[] = []
let isDatabaseAway = true

const receive = nodeEventHandler({
  secrets: secret,
  on: {
    'daily.data.sleep.created': (event) => {
      if (isDatabaseAway) throw new Error('the database is away')
      nights.push(recordsOf(event).length)
      fact('sleep', `${recordsOf(event).length} records from ${sourceOf(event)?.provider}`)
    },
  },
  fallback: ({ event_type }) => fact('not handled', event_type),
})

const app = express()
// The signature is over the bytes, so this route needs them unparsed.
app.post('/events', express.raw({ type: '*/*', limit: '10mb' }), receive)
app.use(express.json())
const server = app.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo

const team = createMock({ seed: 42 }).team()
team.webhooks.add({ url: `http://127.0.0.1:${port}/events`, secret })
const { user_id } = team.users.create()

part('A listener that fails, and is called again')
team.trigger('daily.data.sleep.created', { user_id })
await team.webhooks.idle()
check('nothing is saved while the database is away', nights.length === 0)
isDatabaseAway = false
await team.clock.advance('5s')
await team.webhooks.idle()
check('five seconds later it is', nights.length === 1)

part('A type that nobody knows')
team.trigger('menu.updated', { data: { soup: 'lentil' } })
await team.webhooks.idle()
check('it reaches the fallback, and nothing breaks', nights.length === 1)

server.close()
server.closeAllConnections()
close()
