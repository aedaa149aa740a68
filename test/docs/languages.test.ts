import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MockServer, serve } from '../../mock/server/server.ts'

const run = promisify(execFile)
const guide = readFileSync('docs/testing/other-languages.md', 'utf8')

/** Returns the code block of the guide in a language. */
function block(language: string): string {
  const [, text = ''] = guide.split(`\n\`\`\`${language}\n`)
  return text.slice(0, text.indexOf('\n```') + 1)
}

/** Whether a program is installed; otherwise its tests are skipped. */
function has(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0
}

let folder = ''
let server: MockServer

beforeAll(async () => {
  mkdirSync('scratch', { recursive: true })
  folder = mkdtempSync('scratch/languages-')
  server = await serve({}, { port: 0 })
})

afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

/** Runs a file against the mock and returns its output. */
async function printed(program: string, file: string, text: string): Promise<string> {
  writeFileSync(join(folder, file), text)
  const env = { ...process.env, SERVICE_BASE_URL: server.url }
  const { stdout, stderr } = await run(program, [file], { cwd: folder, env })
  return stdout + stderr
}

it.skipIf(!has('python3'))(
  'runs the tests in Python (needs apt-get install -y python3)',
  async () => {
    expect(await printed('python3', 'booking.py', block('python'))).toMatch(/Ran 3 tests.*OK/s)
  },
)

it.skipIf(!has('curl'))('runs the shell script (needs apt-get install -y curl)', async () => {
  expect(await printed('bash', 'script.sh', `set -e\n${block('bash')}`)).toBe('{"success":true}')
  const har = JSON.parse(readFileSync(join(folder, 'journal.har'), 'utf8'))
  expect(har.log.entries).toHaveLength(1)
})
