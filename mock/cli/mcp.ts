import { type Readable, Writable } from 'node:stream'
import { Command } from 'commander'
import { missingPeer } from '../../src/shared/peers.ts'
import { version } from '../../src/version.ts'
import { messageOf } from '../errors.ts'
import { serve } from '../server/server.ts'
import { type Tool, toolsOf } from './mcp-tools.ts'
import { CommandFailure } from './options.ts'

export function mcp(): Command {
  return new Command('mcp')
    .description('Serve the mock to a coding agent, as an MCP server over stdio.')
    .action(run)
}

async function run(): Promise<void> {
  const sdk = await loadSdk()
  const output = reserveOutput()
  // Reject unknown keys, such as a key for the real service, with 401.
  const server = await serve({}, { strictKeys: true })
  const tools = toolsOf(server)
  const capabilities = { tools: {} }
  const protocol = new sdk.Server({ name: 'health-lab-mock', version }, { capabilities })
  protocol.setRequestHandler(sdk.ListToolsRequestSchema, async () => ({
    tools: Object.entries(tools).map(([name, tool]) => describeTool(name, tool)),
  }))
  protocol.setRequestHandler(sdk.CallToolRequestSchema, ({ params }) => call(params, tools))
  process.stdin.on('end', () => server.close())
  await protocol.connect(new sdk.StdioServerTransport(process.stdin, output))
}

/** Reserves standard output for the protocol and returns it. Redirects other writes to standard error. */
function reserveOutput(): Writable {
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = (...parts: unknown[]) => {
    Reflect.apply(process.stderr.write, process.stderr, parts)
    // If this returned false, a thread would wait for a `drain` event that never comes.
    return true
  }
  return new Writable({ write: (bytes, _encoding, callback) => void write(bytes, callback) })
}

function describeTool(name: string, { description, required, optional }: Tool): object {
  return {
    name,
    description,
    inputSchema: {
      type: 'object',
      properties: { ...required, ...optional },
      required: Object.keys(required),
      additionalProperties: false,
    },
  }
}

/** Calls a tool. Returns errors as results, so the agent can read them. */
async function call({ name, arguments: input = {} }: Call, tools: Record<string, Tool>) {
  try {
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
    if (!tool) throw new Error(`Unknown tool '${name}'. Tools: ${Object.keys(tools).join(', ')}.`)
    const missing = Object.keys(tool.required).filter((key) => input[key] === undefined)
    if (missing.length > 0) throw new Error(`${name} requires ${missing.join(', ')}.`)
    const known = Object.keys({ ...tool.required, ...tool.optional })
    const unknown = Object.keys(input).filter((key) => !known.includes(key))
    if (unknown.length > 0) {
      throw new Error(
        `${name} has no argument ${unknown.join(', ')}. Arguments: ${known.join(', ')}.`,
      )
    }
    const result = await tool.run(input)
    return { content: [{ type: 'text', text: asText(result) }] }
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: messageOf(error) }] }
  }
}

function asText(result: unknown): string {
  return typeof result === 'string' ? result : JSON.stringify(result, null, 2)
}

interface Call {
  name: string
  arguments?: Record<string, unknown>
}

/** The official MCP SDK. Its types are declared here, because the package is optional. */
interface Sdk {
  Server: new (
    info: object,
    options: object,
  ) => {
    setRequestHandler(schema: unknown, handler: (request: { params: Call }) => unknown): void
    connect(transport: unknown): Promise<void>
  }
  StdioServerTransport: new (input: Readable, output: Writable) => unknown
  ListToolsRequestSchema: unknown
  CallToolRequestSchema: unknown
}

async function loadSdk(): Promise<Sdk> {
  try {
    const modules = ['server/index.js', 'server/stdio.js', 'types.js'].map(
      (path) => import(`@modelcontextprotocol/sdk/${path}`),
    )
    return Object.assign({}, ...(await Promise.all(modules)))
  } catch (error) {
    const message = missingPeer(error, 'health-lab-sdk mcp')
    throw message ? new CommandFailure(message) : error
  }
}
