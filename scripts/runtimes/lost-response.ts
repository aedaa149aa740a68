import { createServer } from 'node:net'
import { ServiceClient } from '../../src/index.ts'
import { orderId, userId } from '../../test/support/samples.ts'

/**
 * Sends writes over reused connections that close without a response, and a booking to a server that is not running.
 * Returns the number of writes.
 *
 * @throws {Error} if the platform sends a write more than once, or an outcome is wrong.
 */
export async function checkLostResponses(): Promise<number> {
  for (const write of writes) {
    const { client, sent, close } = await silentServer()
    await client.link.listProviders()
    const outcome = await outcomeOf(write(client))
    expectEqual(`sent ${sent()} times, ${outcome}`, 'sent 1 times, unknown')
    void close()
  }
  const { client, close } = await silentServer()
  await close()
  expectEqual(await outcomeOf(book(client)), 'not-sent')
  return writes.length + 1
}

const once = { maxRetries: 0 }
const book = ({ orders }: ServiceClient) =>
  orders.bookPhlebotomyAppointment(orderId, { booking_key: 'key' }, once)

const writes: ((client: ServiceClient) => Promise<unknown>)[] = [
  book,
  ({ link }) => link.deleteConnection(userId, 'oura', once),
  ({ users }) => users.createSignInToken(userId, once),
  (client) => client.request('PUT', '/v2/reports', { body: { name: 'sleep' }, ...once }),
]

function outcomeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'succeeded',
    (error) => String(Object(error).outcome),
  )
}

function expectEqual(found: string, expected: string): void {
  if (found !== expected) throw new Error(`Expected ${expected}, found ${found}.`)
}

/** Responds only to GET, and closes the connection of other requests. */
async function silentServer() {
  let sent = 0
  const server = createServer((socket) => {
    socket.on('error', () => {})
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
      const [head = '', body] = received.split('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (body === undefined || body.length < length) return
      received = ''
      if (head.startsWith('GET')) {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]')
        return
      }
      sent += 1
      socket.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = Object(server.address())
  const client = new ServiceClient({ apiKey: 'key', baseUrl: `http://127.0.0.1:${port}` })
  const close = () => new Promise((resolve) => server.close(resolve))
  return { client, sent: () => sent, close }
}
