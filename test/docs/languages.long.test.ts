import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { blocksOf } from '../../docs/.vitepress/code/blocks.ts'
import { type MockServer, serve } from '../../mock/server/server.ts'
import { env, useCommand } from '../support/command.ts'

const run = promisify(execFile)
const { install } = useCommand()

const page = readFileSync('docs/testing/languages.md', 'utf8')

/** Returns the code blocks of a section in a language. */
function blocks(title: string, language: string): string[] {
  const [, section = ''] = page.split(`\n## ${title}\n`)
  return blocksOf(section.split('\n## ')[0] ?? '').flatMap((block) =>
    block.language === language ? [block.code] : [],
  )
}

/** Whether a program is installed; otherwise its tests are skipped. */
function has(program: string, ...flags: string[]): boolean {
  return spawnSync(program, flags).status === 0
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

/** Runs a command with a file against the mock and returns its output. */
async function printed(command: string, file: string, text = ''): Promise<string> {
  writeFileSync(join(folder, file), text)
  const [program = '', ...flags] = command.split(' ')
  const variables = { ...env, SERVICE_BASE_URL: server.url }
  const { stdout, stderr } = await run(program, [...flags, file], { cwd: folder, env: variables })
  return stdout + stderr
}

it.skipIf(!has('python3', '--version'))(
  'runs the tests in Python (needs apt-get install -y python3)',
  async () => {
    const [tests] = blocks('Python', 'python')
    expect(await printed('python3', 'test_booking.py', tests)).toMatch(/Ran 4 tests.*OK/s)
  },
)

it.skipIf(!has('python3', '--version'))(
  'starts the mock from Python (needs apt-get install -y python3)',
  async () => {
    const cwd = install()
    const [, start = ''] = blocks('Python', 'python')
    const { stdout } = await run('python3', ['-c', start], { cwd, env })
    expect(stdout).toBe('True\n')
  },
)

const programs = [
  {
    title: 'Go',
    language: 'go',
    check: ['version'],
    command: 'go run',
    file: 'booking.go',
    install: 'golang-go',
  },
  {
    title: 'Java',
    language: 'java',
    check: ['--version'],
    command: 'java',
    file: 'Booking.java',
    install: 'default-jdk-headless',
  },
  {
    title: 'Ruby',
    language: 'ruby',
    check: ['--version'],
    command: 'ruby',
    file: 'booking.rb',
    install: 'ruby',
  },
].map((program) => ({ ...program, isInstalled: has(program.language, ...program.check) }))

for (const { title, language, command, file, install, isInstalled } of programs) {
  it.skipIf(!isInstalled)(
    `runs the program in ${title} (needs apt-get install -y ${install})`,
    async () => {
      const [program] = blocks(title, language)
      const [output] = blocks(title, 'text')
      expect(await printed(command, file, program)).toBe(output)
    },
    60_000,
  )
}

it.skipIf(!has('curl', '--version'))(
  'runs the shell script (needs apt-get install -y curl)',
  async () => {
    const [script] = blocks('The shell', 'bash')
    expect(await printed('bash', 'script.sh', `set -e\n${script}`)).toBe('{"success":true}')
    const har = JSON.parse(readFileSync(join(folder, 'journal.har'), 'utf8'))
    expect(har.log.entries).toHaveLength(1)
  },
)
