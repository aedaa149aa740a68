import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import { type Browser, chromium as launcher } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sampled } from '../support/long-tests.ts'
import { chromium, withoutChromium } from '../support/programs/chromium.ts'

/** What runs in the page: a worker that responds from a mock, and a client that knows nothing of it. */
const page = `
  import { setupWorker } from 'MSW/browser'
  import { createMock } from './mock/index.ts'
  import { handlers } from './mock/msw.ts'
  import { ServiceClient } from './src/index.ts'

  const mock = createMock({ seed: 42 })
  const team = mock.team()
  const worker = setupWorker(...handlers(mock))
  globalThis.story = async () => {
    await worker.start({ OPTIONS, quiet: true })
    const { apiKey, baseUrl } = team.connection()
    const client = new ServiceClient({ apiKey, baseUrl, dangerouslyAllowBrowser: true })
    const order = team.orders.create()
    const pending = await client.orders.bookPhlebotomyAppointment(order.id, {
      booking_key: 'bk_never', async_confirmation: true,
    })
    await team.clock.advance('15m')
    const after = await client.orders.getPhlebotomyAppointment(order.id)
    const unknown = await fetch(baseUrl + '/nowhere', { headers: { 'x-service-api-key': apiKey } })
    team.faults.add({ on: 'link.listProviders', when: { first: 1 }, then: 'lose_response' })
    const providers = await client.link.listProviders()
    worker.stop()
    return {
      statuses: [pending.status, after.status, unknown.status],
      providers: providers.length,
      lines: team.journal.lines(),
    }
  }
`

let server: Server
let browser: Browser | undefined
const files: Record<string, string> = {}

beforeAll(async () => {
  server = createServer(({ url = '/' }, response) => {
    const type = url.endsWith('.js') ? 'text/javascript' : 'text/html'
    response.setHeader('content-type', `${type}; charset=utf-8`)
    response.end(files[url] ?? '<!doctype html><script type="module" src="app.js"></script>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  if (!chromium) return
  browser = await launcher.launch({ executablePath: chromium, args: ['--no-sandbox'] })
})

afterAll(async () => {
  await browser?.close()
  server.close()
})

/** The page for a version of MSW, bundled as a user's tool would. */
async function bundled(msw: string, option: string): Promise<string> {
  const contents = page.replace('MSW/browser', `${msw}/browser`).replace('OPTIONS', option)
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['browser'],
    alias: { msw },
    external: ['node:*'],
    write: false,
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

// The only reason to skip is a machine without the browser; `.ci/run` installs it.
it.skipIf(!chromium).each(
  sampled(
    [
      { name: '3', msw: 'msw', option: "onUnhandledFrame: 'error'" },
      { name: '2.15', msw: 'msw-2', option: "onUnhandledRequest: 'error'" },
    ],
    2,
  ),
)(
  `responds to a page in Chromium through the worker of MSW $name (else ${withoutChromium})`,
  async ({ msw, option }) => {
    files['/app.js'] = await bundled(msw, option)
    files['/mockServiceWorker.js'] = readFileSync(
      `node_modules/${msw}/lib/mockServiceWorker.js`,
      'utf8',
    )
    const { port } = server.address() as AddressInfo
    // A context of its own, so that no worker of another version is left.
    const context = await (browser as Browser).newContext()
    const tab = await context.newPage()
    const errors: string[] = []
    tab.on('pageerror', ({ message }) => errors.push(message))
    await tab.goto(`http://127.0.0.1:${port}/`)
    expect(errors).toEqual([])
    const { statuses, providers, lines } = await tab.evaluate<{
      statuses: unknown[]
      providers: number
      lines: string[]
    }>('globalThis.story()')
    await context.close()
    expect(statuses).toEqual(['pending', 'cancelled', 404])
    expect(providers).toBe(42)
    expect(lines.slice(-2)).toEqual(['link.listProviders lost', 'link.listProviders 200'])
    expect(lines.slice(0, 2)).toEqual([
      'orders.bookPhlebotomyAppointment 200',
      'orders.getPhlebotomyAppointment 200',
    ])
  },
)
