import type { Server } from 'node:http'

export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Returns a server's URL, with `localhost` as the host if the server listens on all addresses. */
export function urlOfServer(server: Server, host: string): string {
  const listening = server.address()
  if (listening === null || typeof listening === 'string') {
    throw new TypeError('Expected a server that listens on a port.')
  }
  const { port, family, address } = listening
  if (address === '::' || address === '0.0.0.0') return `http://localhost:${port}`
  const name = family === 'IPv6' && host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** Stops listening. After `gracePeriod` milliseconds, closes the connections with unfinished requests. */
export function closeServer(server: Server, gracePeriod: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), gracePeriod)
    // Node closes idle connections immediately.
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
