import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nodeEventHandler } from '../../src/events/index.ts'
import { temporaryFolder } from '../support/files.ts'
import { secret } from '../support/signed.ts'

let receiver: Server
let url = ''

beforeAll(async () => {
  const nights: unknown[] = []
  const receive = nodeEventHandler({
    secrets: secret,
    on: {},
    fallback: ({ data }) => {
      nights.push(...((data as { data?: unknown[] }).data ?? []))
    },
  })
  receiver = createServer((request, response) => {
    if (request.method === 'GET') response.end(JSON.stringify({ records: nights }))
    else void receive(request, response)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => receiver.once('listening', resolve))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
})
afterAll(() => {
  receiver.close()
  receiver.closeAllConnections()
})

interface Exit {
  output: string
  errors: string
  exitCode: number
}

/** Runs the command line from its sources. */
function run(...words: string[]): Promise<Exit> {
  const env = { ...process.env, HEALTH_LAB_WEBHOOK_SECRET: '', NO_COLOR: '1' }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['mock/cli.ts', 'certify', ...words],
      { env, maxBuffer: 1e7 },
      (_, output, errors) => resolve({ output, errors, exitCode: child.exitCode ?? -1 }),
    )
  })
}

it('passes a receiver and prints a table', async () => {
  const { output, exitCode } = await run('--url', url, '--secret', secret)
  expect(output).toMatch(/^ok {6}signature\/valid/)
  expect(output).toMatch(/\d{2} passed, 0 failed, \d+ skipped\n$/)
  expect(exitCode).toBe(0)
})

it('reads the probe and exits with 1 when a case fails', async () => {
  const words = ['--url', url, '--secret', secret, '--probe', url, '--settle-time', '0']
  const { output, exitCode } = await run(...words, '--only', 'order/updated')
  expect(output).toContain('FAILED  order/updated')
  expect(output).toContain("The receiver stored the event's record 2 times instead of once.")
  expect(output).toContain('Fix: Upsert the records of *.updated events by id')
  expect(exitCode).toBe(1)
})

it('names what is missing for skipped cases once', async () => {
  const { output } = await run('--url', url, '--secret', secret, '--only', 'order', 'truth')
  expect(output.match(/--probe <url>/g)).toHaveLength(1)
  expect(output).toMatch(
    /^- {7}\d+ cases: probe is missing, so the stored records cannot be read;/m,
  )
})

it('sends what a living user sends, and prints failed cases only', async () => {
  const words = ['--url', url, '--secret', secret, '--probe', url, '--settle-time', '0']
  const { output, exitCode } = await run(
    ...words,
    '--team',
    'living',
    '--only',
    'truth/west',
    '--quiet',
  )
  expect(output).toMatch(/^FAILED {2}truth\/west/)
  expect(output).toMatch(/\n0 passed, 1 failed, 0 skipped\n$/)
  expect(exitCode).toBe(1)
  const passed = await run('--url', url, '--secret', secret, '--only', 'signature', '--quiet')
  expect(passed.output).toMatch(/^\d+ passed, 0 failed, 0 skipped\n$/)
})

it('writes JSON and JUnit XML', async () => {
  const words = ['--url', url, '--secret', secret, '--only', 'signature/valid']
  const json = await run(...words, '--json')
  expect(JSON.parse(json.output)).toMatchObject({ passed: 1, failed: 0 })
  const junit = await run(...words, '--junit')
  expect(junit.output).toContain('<testsuite name="signature" tests="1"')
})

it('prints which cases notice a missing check of a receiver in a module', async () => {
  const words = ['--handler', 'test/certify/handler.ts', '--secret', secret, '--mutate']
  const { output, exitCode } = await run(...words, '--only', 'order/stale-update', 'timestamp/old')
  expect(output).toMatch(/^2 passed, 0 failed, 0 skipped\n\nWithout one check:\n/)
  expect(output).toMatch(/\ntime +Signs .*\n +1 case detects this: timestamp\/old\n/)
  expect(output).toMatch(/\norder +Sets .*\n +1 case detects this: order\/stale-update\n/)
  expect(exitCode).toBe(0)
  const json = await run(...words, '--only', 'timestamp/old', '--json')
  expect(JSON.parse(json.output).results[1]).toMatchObject({
    check: 'time',
    noticedBy: ['timestamp/old'],
  })
})

it.each([['__esModule = true; exports.default'], ['handler']])(
  'accepts a receiver that is compiled to CommonJS as exports.%s',
  async (name) => {
    const file = join(temporaryFolder(), 'receiver.cjs')
    writeFileSync(file, `exports.${name} = async () => new Response()`)
    const { output } = await run('--handler', file, '--secret', secret, '--only', 'signature/valid')
    expect(output).toContain('1 passed, 0 failed')
  },
)

it.each([
  [['--handler', 'test/missing.ts', '--secret', secret], /^error: Cannot load test\/missing.ts: /],
  [
    ['--handler', 'test/certify/command.long.test.ts', '--secret', secret],
    /^error: (?:Cannot load|Expected) test\/certify\/command.long.test.ts/,
  ],
])('exits with 2 for a module without a receiver: %j', async (words, why) => {
  const { errors, exitCode } = await run(...words)
  expect(errors).toMatch(why)
  expect(exitCode).toBe(2)
})

it.each([
  [['--secret', secret], "Expected --url with the receiver's URL, or --handler with its module."],
  [['--url', 'localhost', '--secret', secret], 'Expected url to be an http or https URL.'],
  [
    ['--url', 'http://127.0.0.1:1'],
    'Expected the endpoint secret. Pass --secret, or set HEALTH_LAB_WEBHOOK_SECRET.',
  ],
  [
    ['--url', 'http://127.0.0.1:1', '--secret', 'whsec'],
    'Expected each secret to be whsec_ followed by base64. Copy it from the service unchanged.',
  ],
  [
    ['--url', 'http://127.0.0.1:1', '--secret', secret, '--only', 'nothing'],
    'No case matches the only and skip options. Use topics or case ids, such as signature or signature/valid.',
  ],
])('exits with 2 and reports the reason for %j', async (words, why) => {
  const { errors, exitCode } = await run(...words)
  expect(errors).toBe(`error: ${why}\n`)
  expect(exitCode).toBe(2)
})
