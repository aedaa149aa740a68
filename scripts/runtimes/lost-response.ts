import { createServer } from 'node:net'
import { ServiceClient } from '../../src/index.ts'
import { orderId } from '../../test/support/samples.ts'

/**
 * Books on a connection that was used before and that ends without a response. Returns how often the platform sent the
 * booking.
 *
 * @throws {Error} when it sent the booking more than once.
 */
export async function countSentBookings(): Promise<number> {
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
      } else return
      received = ''
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = Object(server.address())
  const client = new ServiceClient({ apiKey: 'key', baseUrl: `http://127.0.0.1:${port}` })
  await client.link.listProviders()
  const { outcome } = await client.orders
    .bookPhlebotomyAppointment(orderId, { booking_key: 'key' })
    .then(() => ({ outcome: 'succeeded' }), Object)
  server.close()
  if (sent === 1 && outcome === 'unknown') return sent
  throw new Error(`The booking was sent ${sent} times, with the outcome ${outcome}.`)
}
