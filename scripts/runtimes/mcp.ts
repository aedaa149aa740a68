import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Trial } from './trial.ts'

/** The methods of the SDK's own client that a session uses. */
interface Client {
  connect(transport: unknown): Promise<void>
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(call: { name: string; arguments: object }): Promise<Result>
  close(): Promise<void>
}

interface Result {
  isError?: boolean
  content: { text: string }[]
}

/** Runs the command `mcp` with the SDK's own client over standard input and output. */
export function mcp(): Trial[] {
  return [
    {
      name: 'MCP SDK 1.32.2',
      what: 'a session of its client with health-lab-sdk mcp',
      tool: '@modelcontextprotocol/sdk@1.32.2',
      async run(consumer, tool) {
        const load = (path: string) =>
          import(
            pathToFileURL(join(tool, 'node_modules/@modelcontextprotocol/sdk/dist/esm', path)).href
          )
        const { Client } = await load('client/index.js')
        const { StdioClientTransport } = await load('client/stdio.js')
        const client: Client = new Client({ name: 'trial', version: '1.0.0' })
        const command = join(consumer, 'node_modules/health-lab-sdk/dist/cli.js')
        const env = { ...process.env, NODE_PATH: join(tool, 'node_modules') }
        await client.connect(
          new StdioClientTransport({ command: process.execPath, args: [command, 'mcp'], env }),
        )
        try {
          return await session(client)
        } finally {
          await client.close()
        }
      },
    },
  ]
}

async function session(client: Client): Promise<string> {
  const { tools } = await client.listTools()
  const text = async (name: string, input: object, isError = false): Promise<string> => {
    const result = await client.callTool({ name, arguments: input })
    const [{ text = '' } = {}] = result.content
    check(Boolean(result.isError) === isError, `${name}: ${text}`)
    return text
  }
  const created = JSON.parse(await text('create_team', { fixture: { orders: [{}] } }))
  const { team, environment, records } = created
  const fault = { on: 'link.listProviders', when: { first: 1 }, then: { status: 503 } }
  await text('inject_fault', { team, fault })
  const headers = { 'x-service-api-key': environment.SERVICE_API_KEY }
  const url = `${environment.SERVICE_BASE_URL}/v2/providers`
  const statuses = [await fetch(url, { headers }), await fetch(url, { headers })].map(
    (r) => r.status,
  )
  check(statuses.join() === '503,200', `the statuses ${statuses}`)
  const foreign = await fetch(url, { headers: { 'x-service-api-key': 'sk_live_key' } })
  check(foreign.status === 401, 'a key of the real service is accepted')
  check((await text('list_requests', { team })).includes('503'), 'the journal has no 503')
  check((await text('explain_failure', { team })).includes('link.listProviders'), 'no explanation')
  check((await text('advance_clock', { team, by: '49h' })).includes('2025-06-03'), 'the time')
  await text('add_webhook', { team, url: 'http://127.0.0.1:9/' })
  await text('add_webhook', { team, url: 'https://example.com/' }, true)
  const event = { team, type: 'daily.data.sleep.created' }
  check((await text('trigger_event', event)).includes('deliveries'), 'no deliveries')
  check((await text('search_docs', { query: 'lost response' })).includes('outcome'), 'no document')
  await text('run_certify', { url: 'https://example.com/', secret: 'whsec_AAAA' }, true)
  await text('run_explore', { module: './missing.js' }, true)
  await text('list_requests', { team: 'sk_live_key' }, true)
  check(records.orders.length === 1, 'no seeded order')
  return `${tools.length} tools`
}

function check(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message)
}
