import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

const types: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

export interface SiteServer extends AsyncDisposable {
  /** The base URL, without a trailing slash. */
  url: string
}

/** An unknown path returns the 404 page, as on a static host. */
export async function serveSite(folder = 'site'): Promise<SiteServer> {
  if (!existsSync(join(folder, 'index.html'))) {
    throw new Error('The site does not exist. Build it first: npm run build && npm run docs')
  }
  const server = createServer((request, response) => {
    const file = fileOf(folder, request.url ?? '/')
    const status = file.endsWith('404.html') ? 404 : 200
    response.writeHead(status, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
    })
    createReadStream(file).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this type.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function fileOf(folder: string, url: string): string {
  const path = normalize(decodeURIComponent(new URL(url, 'http://localhost').pathname))
  const file = join(folder, path.endsWith('/') ? `${path}index.html` : path)
  return existsSync(file) && statSync(file).isFile() ? file : join(folder, '404.html')
}
