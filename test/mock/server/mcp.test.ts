import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { env } from '../../support/programs/command.ts'

/** What the command uses of the official SDK. It calls the tool of the variable CALL once. */
const sdk = `
  export const ListToolsRequestSchema = 'list'
  export const CallToolRequestSchema = 'call'
  export class StdioServerTransport {
    constructor(input = process.stdin, output = process.stdout) {
      Object.assign(this, { input, output })
    }
  }
  export class Server {
    setRequestHandler(schema, handler) {
      this[schema] = handler
    }
    async connect({ input, output }) {
      input.resume()
      const result = await this.call({ params: JSON.parse(process.env.CALL) })
      output.write(JSON.stringify(result))
    }
  }`

const hook = `
  import { registerHooks } from 'node:module'
  const url = ${JSON.stringify(moduleOf(sdk))}
  registerHooks({
    resolve: (name, context, next) =>
      name.startsWith('@modelcontextprotocol/sdk/') ? { url, shortCircuit: true } : next(name, context),
  })`

function moduleOf(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`
}

/** Calls a tool, and returns what the command prints. */
async function call(name: string, input: object): Promise<{ out: string; err: string }> {
  const child = spawn(process.execPath, ['--import', moduleOf(hook), 'mock/cli.ts', 'mcp'], {
    env: { ...env, CALL: JSON.stringify({ name, arguments: input }) },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin.end()
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { out, err }
}

it('keeps what a program prints in a thread out of the protocol', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const module = join(folder, 'program.mjs')
  writeFileSync(
    module,
    `process.stdout.write('loaded ')
    export default {
      budget: { runs: 2 },
      setup: () => ({}),
      scenario: async () => console.log('x'.repeat(100_000)),
      check: () => process.stdout.write('checked '),
    }`,
  )

  const { out, err } = await call('run_explore', { module })

  expect(JSON.parse(out)).toEqual({
    content: [{ type: 'text', text: expect.stringContaining('explore: ') }],
  })
  for (const printed of ['loaded', 'x'.repeat(100_000), 'checked']) expect(err).toContain(printed)
})

it('says which argument a tool does not have', async () => {
  const { out } = await call('search_docs', { query: 'booking', limit: 3 })
  expect(JSON.parse(out)).toEqual({
    isError: true,
    content: [{ type: 'text', text: 'search_docs has no argument limit. Arguments: query.' }],
  })
})
