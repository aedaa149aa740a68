/** Receives events with Fastify: `npm run example examples/receive-with-fastify.ts`. */
import Fastify from 'fastify'
import { certify, toTable } from 'health-lab-sdk/certify'
import { nodeEventHandler } from 'health-lab-sdk/events'
import { NightStore } from './support/nights.ts'
import { check, fact, part, printSummary } from './support/terminal.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const nights = new NightStore()
const receive = nodeEventHandler({
  secrets: secret,
  on: nights.listeners,
  fallback: () => {}, // accepts the events that this program does not use
})

const app = Fastify()
// This scope has no parsers, because a parser would read the raw body, and Fastify limits parsed bodies to 1 MiB.
app.register(async (scope) => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  scope.post('/events', async (request, reply) => {
    reply.hijack() // nodeEventHandler responds
    await receive(request.raw, reply.raw)
  })
})
const address = await app.listen({ port: 0, host: '127.0.0.1' })

part('Certify')
const report = await certify({
  url: `${address}/events`,
  secret,
  probe: ({ user_id }) => nights.list(user_id),
})
if (report.failed > 0) console.log(toTable(report))
fact('passed', report.passed)
check('the receiver fails no case', report.failed === 0)

app.server.closeAllConnections()
await app.close()
printSummary()
