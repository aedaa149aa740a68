/** Receives signed and redelivered events with Express: `npm run example examples/receive-with-express.ts`. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { certify, toTable } from 'health-lab-sdk/certify'
import { nodeEventHandler, type ServiceEvent } from 'health-lab-sdk/events'
import { createMock } from 'health-lab-sdk/mock'
import { NightStore } from './support/nights.ts'
import { check, fact, part, printSummary } from './support/terminal.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const nights = new NightStore()
let failures = 0

const save = (event: ServiceEvent) => {
  if (failures > 0) {
    failures -= 1
    throw new Error('the database is down')
  }
  nights.save(event)
}
const receive = nodeEventHandler({
  secrets: secret,
  on: {
    'daily.data.sleep.created': save,
    'daily.data.sleep.updated': save,
    'historical.data.sleep.created': save,
  },
  fallback: () => {}, // accepts the events that this program does not use
})

const app = express()
// The signature covers the raw bytes, so this route needs the unparsed body.
app.post('/events', express.raw({ type: '*/*', limit: '10mb' }), receive)
app.use(express.json())
const server = app.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
const url = `http://127.0.0.1:${port}/events`

part('A listener that fails once')
const team = createMock({ seed: 42 }).team()
team.webhooks.add({ url, secret })
const { user_id } = team.users.create()
failures = 1
team.trigger('daily.data.sleep.created', { user_id })
await team.webhooks.idle()
check('nothing is saved while the database is down', nights.count === 0)
await team.clock.advance('5s')
await team.webhooks.idle()
check('the retry after five seconds saves the event', nights.count === 1)

part('An unknown event type')
team.trigger('menu.updated', { data: { soup: 'lentil' } }, { unknown: true })
await team.webhooks.idle()
check('the fallback handles it', nights.count === 1)

part('Certify')
const report = await certify({
  url,
  secret,
  probe: ({ user_id }) => nights.list(user_id),
  simulate: {
    failure: () => {
      failures = 1
    },
  },
})
if (report.failed > 0) console.log(toTable(report))
fact('passed', report.passed)
check('the receiver fails no case', report.failed === 0)

server.close()
server.closeAllConnections()
printSummary()
