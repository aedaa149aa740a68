import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { ServiceClient } from 'health-lab-sdk'

const folder = 'release'
const name = `health-lab-sdk-${process.platform}-${process.arch}`

/**
 * Builds a single executable file from the command of the built package and Node, and runs it in a file system without
 * Node: `npm run lab executable`. Needs `npm run build` first.
 */
async function makeExecutable(): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const main = join(folder, 'sea.cjs')
  const config = join(folder, 'sea.json')
  const output = join(folder, 'sea.blob')
  await build({
    entryPoints: ['dist/cjs/cli.cjs'],
    outfile: main,
    bundle: true,
    platform: 'node',
    target: 'node24',
    // The executable looks for these packages in its own folder.
    external: ['msw', 'pg', '@electric-sql/pglite', '@modelcontextprotocol/*'],
    banner: { js: "require = require('node:module').createRequire(__filename);" },
    logLevel: 'error',
  })
  const assets = { 'AGENTS.md': 'AGENTS.md' }
  const options = { main, output, assets, disableExperimentalSEAWarning: true, useCodeCache: true }
  writeFileSync(config, JSON.stringify(options))
  execFileSync(process.execPath, ['--experimental-sea-config', config], { stdio: 'pipe' })
  const executable = join(folder, name)
  copyFileSync(process.execPath, executable)
  // The fuse marks the place where Node stores whether it contains a program.
  const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
  const parts = [executable, 'NODE_SEA_BLOB', output, '--sentinel-fuse', fuse]
  execFileSync('npx', ['postject', ...parts], { stdio: 'pipe' })
  for (const file of globSync(join(folder, 'sea.*'))) rmSync(file)
  return executable
}

/** Contains only the executable and its libraries. */
function emptyRoot(executable: string): string {
  const root = mkdtempSync(join(tmpdir(), 'executable-'))
  const libraries = execFileSync('ldd', [executable], { encoding: 'utf8' }).match(/\/\S+/g) ?? []
  for (const file of libraries) {
    mkdirSync(join(root, dirname(file)), { recursive: true })
    copyFileSync(file, join(root, file))
  }
  copyFileSync(executable, join(root, name))
  return root
}

/** Users other than root need a user namespace. */
function start(root: string, ...parts: string[]) {
  const isRoot = process.getuid?.() === 0
  const [command, ...flags] = isRoot ? ['chroot', root] : ['unshare', '-r', `--root=${root}`]
  return spawn(command ?? '', [...flags, `/${name}`, ...parts], {
    env: { PATH: '/usr/sbin:/usr/bin' },
  })
}

async function printed(root: string, ...parts: string[]): Promise<string> {
  const child = start(root, ...parts)
  let text = ''
  for await (const chunk of child.stdout) text += chunk
  return text
}

async function tryServer(root: string): Promise<void> {
  const child = start(root, 'mock', '--port', '0', '--json')
  const ended = once(child, 'exit')
  child.stderr.resume()
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(() => Promise.reject(new Error('The executable ended.'))),
  ])
  const { url, apiKey } = JSON.parse(line)
  const health = await fetch(`${url}/__mock__/health`)
  report('health check', health.status === 200)
  const client = new ServiceClient({ apiKey, baseUrl: url })
  const [first] = await client.labTests.listMarkers({ name: 'glucose' }).toArray({ limit: 1 })
  report('a request', /glucose/i.test(first?.name ?? ''))
  const page = await fetch(`${url}/__mock__/`)
  report('the inspector', (await page.text()).includes('<title>Mock inspector'))
  child.kill('SIGTERM')
  const [code, signal] = await ended
  report(`stops on SIGTERM with code ${code}`, code === 0 && signal === null)
}

function report(what: string, isGood: boolean): void {
  console.log(`${isGood ? 'passed' : 'FAILED'}: ${what}`)
  if (!isGood) process.exitCode = 1
}

const executable = await makeExecutable()
const megabytes = Math.round(statSync(executable).size / 1e6)
console.log(`${resolve(executable)}: ${megabytes} MB`)
const root = emptyRoot(executable)
try {
  const files = globSync('**/*', { cwd: root, withFileTypes: true }).filter((file) => file.isFile())
  console.log(
    `In an empty file system with ${files.map((file) => basename(file.name)).join(', ')}:`,
  )
  report('--help', (await printed(root, '--help')).startsWith('Usage: health-lab-sdk'))
  report('agents', (await printed(root, 'agents')).startsWith('# Agents'))
  await tryServer(root)
} finally {
  rmSync(root, { recursive: true })
}
