/** Receives events with Hono, and handles each message only once: `npm run example examples/receive-with-hono.ts`. */

import { certify, toTable } from 'health-lab-sdk/certify'
import { eventHandler } from 'health-lab-sdk/events'
import { createMock } from 'health-lab-sdk/mock'
import { Hono } from 'hono'
import { NightStore } from './support/nights.ts'
import { check, fact, part, printSummary } from './support/terminal.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const effects = new Map<string, number>()

const receive = eventHandler({
  secrets: secret,
  on: {
    'provider.connection.created': ({ user_id, data }) => {
      fact('connected', `${data.provider?.slug} to user ${user_id.slice(0, 8)}…`)
    },
  },
  fallback: (_, { id }) => {
    effects.set(id, (effects.get(id) ?? 0) + 1)
  },
})
const app = new Hono()
app.post('/events', (context) => receive(context.req.raw))

const team = createMock({ seed: 42 }).team()
team.webhooks.add({
  secret,
  handler: (request) => app.fetch(new Request('http://receiver.test/events', request)),
  duplicates: 0.5,
  reorder: 10,
  lostResponses: 0.1,
})

part('A new connection and its data')
const { user_id } = team.users.create()
team.connections.create({ user_id, provider: 'oura' })
await team.webhooks.idle()
await team.clock.advance('28h')
await team.webhooks.idle()
fact('messages', team.events.count)
check(
  'the fallback handled every event except the connection',
  effects.size === team.events.count - 1,
)
check(
  'no event was handled twice',
  [...effects.values()].every((count) => count === 1),
)

part('Certify')
const nights = new NightStore()
const receiver = new Hono()
const store = eventHandler({ secrets: secret, on: nights.listeners, fallback: () => {} })
receiver.post('/events', (context) => store(context.req.raw))
const report = await certify({
  handler: (request) => receiver.fetch(request),
  secret,
  probe: ({ user_id }) => nights.list(user_id),
})
if (report.failed > 0) console.log(toTable(report))
fact('passed', report.passed)
check('the receiver fails no case', report.failed === 0)
printSummary()
