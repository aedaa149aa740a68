import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { blocksOf } from '../../docs/.vitepress/code/blocks.ts'
import { type MockServer, serve } from '../../mock/server/server.ts'
import { env, useCommand } from '../support/programs/command.ts'

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

const hasPython = has('python3', '--version')
const hasPytest = hasPython && has('python3', '-m', 'pytest', '--version')
const home = { ...env, PYTHONPATH: resolve('python'), PYTHONDONTWRITEBYTECODE: '1' }
const pytest = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider']

it.skipIf(!hasPytest)(
  'runs the tests of the Python page (needs apt-get install -y python3-pytest)',
  async () => {
    const [tests = ''] = blocks('Python', 'python')
    writeFileSync(join(folder, 'test_booking.py'), tests)
    const plugin = ['-p', 'health_lab_mock.pytest_plugin', 'test_booking.py']
    const variables = { ...home, SERVICE_BASE_URL: server.url }
    const { stdout } = await run('python3', [...pytest, ...plugin], { cwd: folder, env: variables })
    expect(stdout).toContain('3 passed')
  },
)

it.skipIf(!hasPytest)(
  'runs the tests of the Python package (needs apt-get install -y python3-pytest)',
  async () => {
    const variables = { ...home, HEALTH_LAB_MOCK_COMMAND: 'npx health-lab-sdk' }
    const flags = [...pytest, '--rootdir', '.', resolve('python/tests'), '-c']
    const { stdout } = await run('python3', [...flags, resolve('python/pyproject.toml')], {
      cwd: install(),
      env: variables,
    })
    expect(stdout).toMatch(/\d+ passed/)
  },
)

it.skipIf(!hasPython)(
  'starts the mock from Python without pytest (needs apt-get install -y python3)',
  async () => {
    const [, tests = ''] = blocks('Python', 'python')
    const { stderr } = await run('python3', ['-c', tests], { cwd: install(), env: home })
    expect(stderr).toMatch(/Ran 1 test.*OK/s)
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
