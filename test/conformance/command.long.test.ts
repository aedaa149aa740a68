import { execFile } from 'node:child_process'
import { afterEach, expect, it } from 'vitest'
import { type MockServer, serve } from '../../mock/server/server.ts'

let server: MockServer | undefined
afterEach(() => server?.close())

interface Exit {
  output: string
  errors: string
  exitCode: number
}

/** Runs the command line from its sources. */
function run(...words: string[]): Promise<Exit> {
  const environment = { ...process.env, SERVICE_API_KEY: '', NO_COLOR: '1' }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['mock/cli.ts', ...words],
      { env: environment, maxBuffer: 1e7 },
      (_, output, errors) => resolve({ output, errors, exitCode: child.exitCode ?? -1 }),
    )
  })
}

it('checks a new mock when no service is given', async () => {
  const { output, exitCode } = await run('conformance', '--only', '4.8')
  expect(output).toMatch(/^ok {6}4\.8\//m)
  expect(output).toMatch(/\d+ passed, 0 failed, \d+ skipped\n$/)
  expect(exitCode).toBe(0)
})

it('sets up a mock server', async () => {
  server = await serve()
  const service = ['conformance', '--url', server.url, '--key', 'suite', '--only', '4.8']
  const plain = await run(...service)
  expect(plain.output).toMatch(/\n\d+ passed, 0 failed, \d\d+ skipped\n$/)
  const whole = await run(...service, '--served')
  expect(whole.output).toMatch(/\n\d\d+ passed, 0 failed, \d+ skipped\n$/)
})

it('uses the given user', async () => {
  server = await serve({}, { strictKeys: true })
  const { url, mock } = server
  const user = '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55'
  const { apiKey } = mock.connection()
  await run('conformance', '--url', url, '--key', apiKey, '--user', user, '--only', '4.7')
  expect(mock.defaultTeam.users.list().map(({ user_id }) => user_id)).toEqual([user])
})

it('exits with 1 when a case fails', async () => {
  server = await serve()
  server.mock.override('link.listProviders', () => ({ status: 500 }))
  const { url } = server
  const words = ['conformance', '--url', url, '--key', 'suite', '--only', '5/right-key']
  const { output, exitCode } = await run(...words)
  expect(output).toContain('FAILED')
  expect(exitCode).toBe(1)
})

const invalidUrl =
  'Expected --url to be an http or https URL without credentials, query or fragment.'

it.each([
  [['--only', '11'], 'No case matches 11. Use sections such as 4.8.'],
  [['--url', 'localhost:4010', '--key', 'a'], invalidUrl],
  [['--url', 'http://user:password@127.0.0.1:1', '--key', 'a'], invalidUrl],
  [['--url', 'http://127.0.0.1:1/?key=a', '--key', 'a'], invalidUrl],
  [['--url', 'http://127.0.0.1:1'], 'Expected an API key. Pass --key, or set SERVICE_API_KEY.'],
])('exits with 2 and reports the reason for %j', async (words, why) => {
  const { errors, exitCode } = await run('conformance', ...words)
  expect(errors).toBe(`error: ${why}\n`)
  expect(exitCode).toBe(2)
})

it('reports that no mock is served at the URL', async () => {
  const service = ['--url', 'http://127.0.0.1:1', '--key', 'a', '--served']
  const { errors, exitCode } = await run('conformance', ...service)
  expect(errors).toContain('No mock is running at http://127.0.0.1:1')
  expect(exitCode).toBe(1)
})

it('writes JSON and JUnit XML', async () => {
  const json = await run('conformance', '--only', '4/json-providers', '--json')
  expect(JSON.parse(json.output)).toMatchObject({ passed: 1, failed: 0 })
  const junit = await run('conformance', '--only', '4/json-providers', '--junit')
  expect(junit.output).toContain('<testsuite name="part 4" tests="1"')
})

it('prints the OpenAPI document at a base URL', async () => {
  const { output } = await run('openapi', '--url', 'https://api.example.test')
  expect(JSON.parse(output).servers).toEqual([{ url: 'https://api.example.test' }])
})
