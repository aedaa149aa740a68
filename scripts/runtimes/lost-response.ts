import { createServer } from 'node:net'
import { ServiceClient } from '../../src/index.ts'
import { orderId, userId } from '../../test/support/samples.ts'

/**
 * Sends two calls on connections that were used before and that end without a response, and a booking that finds no server.
 * Returns the number of calls.
 *
 * @throws {Error} when the platform sends the booking more than once, or an outcome is wrong.
 */
export async function checkLostResponses(): Promise<number> {
  const lost = await silentServer()
  await lost.client.link.listProviders()
  const booking = await outcomeOf(book(lost.client))
  expectEqual(`${lost.sent()} bookings, ${booking}`, '1 bookings, unknown')
  void lost.close()
  const last = await silentServer()
  await last.client.link.listProviders()
  // The platform may send the request again, which is then refused.
  const deletion = last.client.link.deleteConnection(userId, 'oura', { maxRetries: 0 })
  expectEqual(await outcomeOf(deletion), 'unknown')
  const closed = await silentServer()
  await closed.close()
  expectEqual(await outcomeOf(book(closed.client)), 'not-sent')
  return 3
}

function book(client: ServiceClient): Promise<unknown> {
  return client.orders.bookPhlebotomyAppointment(orderId, { booking_key: 'key' }, { maxRetries: 0 })
}

function outcomeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'succeeded',
    (error) => String(Object(error).outcome),
  )
}

function expectEqual(found: string, expected: string): void {
  if (found !== expected) throw new Error(`Expected ${expected}, found ${found}.`)
}

/** Starts a server that responds only to GET. It accepts no connection after a DELETE. */
async function silentServer() {
  let sent = 0
  const server = createServer((socket) => {
    socket.on('error', () => {})
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
      if (received.startsWith('GET')) {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]')
      } else if (received.includes('booking_key')) {
        sent += 1
        socket.end()
      } else if (received.startsWith('DELETE')) {
        server.close()
        socket.end()
      } else return
      received = ''
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = Object(server.address())
  const client = new ServiceClient({ apiKey: 'key', baseUrl: `http://127.0.0.1:${port}` })
  const close = () => new Promise((resolve) => server.close(resolve))
  return { client, sent: () => sent, close }
}
