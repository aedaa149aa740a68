/** Receives signed events and retries of failed deliveries with Express: `npm run example examples/receive-with-express.ts`. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { nodeEventHandler, recordsOf, sourceOf } from 'health-lab-sdk/events'
import { createMock } from 'health-lab-sdk/mock'
import { check, fact, part, printSummary } from './support/terminal.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const nights: number[] = []
let isDatabaseDown = true

const receive = nodeEventHandler({
  secrets: secret,
  on: {
    'daily.data.sleep.created': (event) => {
      if (isDatabaseDown) throw new Error('the database is down')
      nights.push(recordsOf(event).length)
      fact('sleep', `${recordsOf(event).length} records from ${sourceOf(event)?.provider}`)
    },
  },
  fallback: ({ event_type }) => fact('not handled', event_type),
})

const app = express()
// The signature covers the raw bytes, so this route needs the unparsed body.
app.post('/events', express.raw({ type: '*/*', limit: '10mb' }), receive)
app.use(express.json())
const server = app.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo

const team = createMock({ seed: 42 }).team()
team.webhooks.add({ url: `http://127.0.0.1:${port}/events`, secret })
const { user_id } = team.users.create()

part('A listener that fails once')
team.trigger('daily.data.sleep.created', { user_id })
await team.webhooks.idle()
check('nothing is saved while the database is down', nights.length === 0)
isDatabaseDown = false
await team.clock.advance('5s')
await team.webhooks.idle()
check('the retry after five seconds saves the event', nights.length === 1)

part('An unknown event type')
team.trigger('menu.updated', { data: { soup: 'lentil' } })
await team.webhooks.idle()
check('the fallback handles it', nights.length === 1)

server.close()
server.closeAllConnections()
printSummary()
