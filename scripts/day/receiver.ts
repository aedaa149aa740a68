import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { nodeEventHandler } from 'health-lab-sdk/events'

export interface Receiver {
  url: string
  /** The types of the accepted events. */
  accepted: string[]
  useSecret(secret: string): void
  close(): void
}

export async function startReceiver(secret: string): Promise<Receiver> {
  const accepted: string[] = []
  const handlerFor = (secrets: string) =>
    nodeEventHandler({
      secrets,
      on: {},
      fallback: ({ event_type }) => void accepted.push(event_type),
      // The sender sees the error in the response.
      onError: () => {},
    })
  let handle = handlerFor(secret)
  const server = createServer((request, response) => void handle(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // A server that listens on a port has an address.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/events`,
    accepted,
    useSecret: (next) => {
      handle = handlerFor(next)
    },
    close: () => void server.close(),
  }
}
