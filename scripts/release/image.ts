import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { certificatesFile } from '../certificates.ts'
import { readDockerfile } from './dockerfile.ts'

const { all, argumentsOf, wordsOf, variables } = readDockerfile('examples/docker/Dockerfile')
const user = argumentsOf('USER')
const image = { debian: 'bookworm', mirror: 'http://deb.debian.org/debian', id: 1000 }

/**
 * Runs the instructions of the Dockerfile in the file system of a plain Debian, without Docker: `npm run lab image`.
 * Uses the built package, so it needs `npm run build` first.
 */
async function tryImage(): Promise<void> {
  const reason = whyNot()
  if (reason) return console.log(`Skipped: ${reason}.`)
  const root = mkdtempSync(join(tmpdir(), 'image-'))
  try {
    makeBase(root)
    for (const line of all('RUN')) runInstruction(root, line)
    await tryCommand(root)
  } finally {
    rmSync(root, { recursive: true })
  }
}

/** Returns the reason if the image cannot run here. */
function whyNot(): string | undefined {
  if (process.getuid?.() !== 0) return 'chroot needs the user root'
  try {
    execFileSync('mmdebstrap', ['--version'], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'mmdebstrap is not installed'
  }
}

/** Creates the content of the `FROM` image: Debian, Node, npm and a user without privileges. */
function makeBase(root: string): void {
  const flags = [
    '--quiet',
    '--mode=root',
    '--variant=essential',
    '--include=libstdc++6',
    image.debian,
    root,
    image.mirror,
  ]
  // The user must be able to read the folder.
  chmodSync(root, 0o755)
  execFileSync('mmdebstrap', flags, { stdio: ['ignore', 'ignore', 'inherit'] })
  const home = join(root, 'usr/local')
  copyFileSync(process.execPath, join(home, 'bin/node'))
  const npm = dirname(dirname(process.env['npm_execpath'] ?? ''))
  cpSync(npm, join(home, 'lib/node_modules/npm'), { recursive: true, dereference: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(home, 'bin/npm'))
  appendFileSync(join(root, 'etc/passwd'), `${user}:x:${image.id}:${image.id}::/tmp:/bin/sh\n`)
  appendFileSync(join(root, 'etc/group'), `${user}:x:${image.id}:\n`)
  for (const file of ['resolv.conf', 'hosts']) copyFileSync(`/etc/${file}`, join(root, 'etc', file))
  console.log(
    `passed: ${argumentsOf('FROM')}, as Debian ${image.debian} with Node ${process.version}`,
  )
}

/** Runs a `RUN` line as root, with the packed package instead of the published one. */
function runInstruction(root: string, line: string): void {
  const flags = ['--silent', '--ignore-scripts', '--json', '--pack-destination', root]
  const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', ...flags], { encoding: 'utf8' }))
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const local = line.replace(`health-lab-sdk@${version}`, `/${filename}`)
  if (local === line) throw new Error(`RUN does not install version ${version}`)
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
  const certificates = certificatesFile()
  writeFileSync(join(root, 'tmp/certificates.pem'), certificates ? readFileSync(certificates) : '')
  const env = { NODE_EXTRA_CA_CERTS: '/tmp/certificates.pem', npm_config_registry: registry }
  execFileSync('chroot', [root, '/bin/sh', '-c', local], {
    env: { PATH, npm_config_update_notifier: 'false', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  console.log(`passed: RUN ${line}`)
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Starts `CMD` as the image's user, waits for `HEALTHCHECK`, and stops it with `STOPSIGNAL`. */
async function tryCommand(root: string): Promise<void> {
  const env = { PATH, ...variables(), PORT: await freePort() }
  const parts = [`--userspec=${image.id}:${image.id}`, root]
  const child = spawn('chroot', [...parts, ...wordsOf('CMD')], { env, stdio: 'ignore' })
  const ended = once(child, 'exit')
  report('HEALTHCHECK', await becomesHealthy([...parts, ...wordsOf('HEALTHCHECK')], env))
  child.kill(argumentsOf('STOPSIGNAL') as NodeJS.Signals)
  const [code] = await ended
  report(`STOPSIGNAL ${argumentsOf('STOPSIGNAL')}, exit code ${code}`, code === 0)
  const { uid, size } = statSync(join(root, argumentsOf('VOLUME'), 'mock.json'))
  report(`VOLUME has the state, ${size} bytes of the user ${user}`, uid === image.id && size > 0)
}

async function becomesHealthy(parts: string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  for (let check = 0; check < 60; check += 1) {
    const [code] = await once(spawn('chroot', parts, { env, stdio: 'ignore' }), 'exit')
    if (code === 0) return true
    await setTimeout(500)
  }
  return false
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = Object(server.address())
  server.close()
  return String(port)
}

function report(what: string, isGood: boolean): void {
  console.log(`${isGood ? 'passed' : 'FAILED'}: ${what}`)
  if (!isGood) process.exitCode = 1
}

await tryImage()
