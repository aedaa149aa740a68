import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { blocksOf } from '../../docs/.vitepress/code/blocks.ts'
import { connectMock } from '../../mock/remote/connect.ts'
import { readDockerfile } from '../../scripts/release/dockerfile.ts'
import { env, useCommand } from '../support/programs/command.ts'

const run = promisify(execFile)
const { pathOf, install } = useCommand()
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const path = 'examples/docker/Dockerfile'
const { argumentsOf, wordsOf, variables: imageVariables } = readDockerfile(path)
const compose = parse(readFileSync('examples/docker/compose.yaml', 'utf8'))
const workflow = parse(readFileSync('examples/github-actions/workflow.yaml', 'utf8'))

/** Returns a free port. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  const { port } = Object(server.address())
  await new Promise((closed) => server.close(closed))
  return String(port)
}

/** Runs the command of a container in a folder that has its volumes. */
function startContainer(words: readonly string[], folder: string, variables: object): ChildProcess {
  const [, ...flags] = words.map((word) => word.replace(/^\/(?=data|fixtures)/, `${folder}/`))
  const child = spawn(process.execPath, [pathOf('cli.js'), ...flags], {
    env: { ...env, ...imageVariables(), ...variables },
    stdio: 'ignore',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Runs the health check of the image and returns its exit code. */
async function healthOf(variables: object): Promise<number> {
  const [, ...flags] = wordsOf('HEALTHCHECK')
  const given = { ...env, ...imageVariables(), ...variables }
  return run(process.execPath, flags, { env: given }).then(
    () => 0,
    ({ code }) => code,
  )
}

it('pins the versions of the image, and runs as a user without privileges', () => {
  expect(argumentsOf('FROM')).toBe(`node:${manifest.devDependencies.node}-slim`)
  expect(argumentsOf('RUN')).toContain(`health-lab-sdk@${manifest.version} `)
  expect(argumentsOf('USER')).toBe('node')
  expect(compose.services.application.image).toBe(argumentsOf('FROM'))
  const { image } = workflow.jobs['with-a-service'].services.mock
  expect(image).toMatch(new RegExp(`:${manifest.version}$`))
})

it('is shown on the page about containers', () => {
  const blocks = blocksOf(readFileSync('docs/testing/containers.md', 'utf8'))
  const shown = (language: string) => blocks.find((block) => block.language === language)?.code
  const written = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
  expect(`\n${shown('dockerfile')}`.replaceAll(/\n+/g, '\n')).toBe(
    written.join('\n').replaceAll(/\n+/g, '\n'),
  )
  const { steps } = workflow.jobs['with-a-process']
  expect(steps).toEqual(expect.arrayContaining(parse(shown('yaml') ?? '')))
})

it('runs the command, the health check and the stop signal of the image', async () => {
  const folder = install()
  mkdirSync(join(folder, argumentsOf('VOLUME')))
  const variables = { PORT: await freePort() }
  expect(await healthOf(variables)).toBe(1)
  const child = startContainer(wordsOf('CMD'), folder, variables)
  await expect.poll(() => healthOf(variables)).toBe(0)
  const exitCode = new Promise((resolve) => child.once('exit', resolve))
  child.kill(argumentsOf('STOPSIGNAL') as NodeJS.Signals)
  expect(await exitCode).toBe(0)
  expect(existsSync(join(folder, 'data/mock.json'))).toBe(true)
})

it('runs the commands of the compose file', async () => {
  const { mock, application } = compose.services
  const folder = install()
  const homes = mock.volumes.map((volume: string) => volume.split(':'))
  mkdirSync(join(folder, argumentsOf('VOLUME')))
  for (const [source, home] of homes.filter(([source]: string[]) => source?.startsWith('.'))) {
    cpSync(join('examples/docker', source), join(folder, home), { recursive: true })
  }
  const port = await freePort()
  const token = mock.environment.HEALTH_LAB_MOCK_TOKEN.replace(/^.*:-(.*)\}$/, '$1')
  startContainer(mock.command, folder, { PORT: port, HEALTH_LAB_MOCK_TOKEN: token })
  expect(application.depends_on.mock.condition).toBe('service_healthy')
  await expect.poll(() => healthOf({ PORT: port })).toBe(0)

  const url = `http://127.0.0.1:${port}`
  const [, ...flags] = application.command.map((word: string) => word.replaceAll('$$', '$'))
  const variables = { ...application.environment, SERVICE_BASE_URL: url }
  const { stdout } = await run(process.execPath, flags, { env: { ...env, ...variables } })
  expect(stdout).toMatch(/^\d+ providers\n$/)
  const team = connectMock(url, application.environment.SERVICE_API_KEY, { token })
  expect((await team.users.list())[0]?.info?.first_name).toBe('Jane')
  expect((await team.webhooks.list()).map(({ id }) => id)).toEqual(['application'])
})

it('runs the steps of the workflow that start the mock', async () => {
  const cwd = install()
  writeFileSync(join(cwd, 'people.yaml'), 'users: [{}]')
  const { env: variables, steps } = workflow.jobs['with-a-process']
  const port = await freePort()
  const onPort = (text: string) => text.replaceAll('4010', port)
  const { run: script } = steps.find(({ name }: { name?: string }) => name === 'Start the mock')
  const url = onPort(variables.SERVICE_BASE_URL)
  // The runner of GitHub ends what a job leaves behind.
  const lines = `set -e\n${onPort(script)}echo " $!"`
  const { stdout } = await run('bash', ['-c', lines], {
    cwd,
    env: { ...env, SERVICE_BASE_URL: url },
  })
  const [health = '', pid = ''] = stdout.trim().split(' ')
  onTestFinished(() => void process.kill(Number(pid), 'SIGTERM'))
  expect(JSON.parse(health)).toEqual({ status: 'ready' })
  expect(await connectMock(url, 'job').users.size()).toBe(1)
})

it('runs the tests of Playwright against the mock that it starts', async () => {
  const cwd = install()
  const port = await freePort()
  for (const file of ['playwright.config.ts', 'booking.spec.ts']) {
    const content = readFileSync(join('examples/playwright', file), 'utf8')
    writeFileSync(join(cwd, file), content.replaceAll('4010', port))
  }
  const words = ['--no', '--', 'playwright', 'test', '--reporter', 'line']
  const { stdout } = await run('npx', words, { cwd, env: { ...env, CI: '1' } })
  expect(stdout).toContain('1 passed')
  await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow()
})
