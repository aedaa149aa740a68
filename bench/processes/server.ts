// Runs as its own process: serves an appointment of about 1 KB, from the mock or from a fixed buffer.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '../../mock/server/server.ts'
import { watchTurns } from '../fair/turns.ts'
import { heap } from '../figure.ts'

const server = await serve()
const { apiKey, appointments } = server.mock.defaultTeam
const { order_id } = appointments.create({ appointment_notes: 'x'.repeat(150) })
const path = `/v3/order/${order_id}/phlebotomy/appointment`
let longestTurn: (() => number) | undefined
process.on('message', (message) => {
  if (message === 'heap') {
    process.send?.(heap())
    return
  }
  // Start watching only on demand, because it takes time from the requests.
  longestTurn ??= watchTurns()
  process.send?.(longestTurn())
})
// Exit when the benchmark fails or is stopped.
process.on('disconnect', () => process.exit())

if (process.argv[2] === 'mock') process.send?.({ url: server.url, path, apiKey })
else await serveFixed()

async function serveFixed(): Promise<void> {
  const headers = { 'x-service-api-key': apiKey }
  const response = await fetch(server.url + path, { headers })
  const body = Buffer.from(await response.arrayBuffer())
  await server.close()
  const fixed = createServer((_, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    outgoing.end(body)
  })
  fixed.listen(0, '127.0.0.1', () => {
    const { port } = fixed.address() as AddressInfo
    process.send?.({ url: `http://127.0.0.1:${port}`, path, apiKey })
  })
}
