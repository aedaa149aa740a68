import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { buildCommand } from '../scripts/build/command.ts'
import { atLeast, type Figure, megabytes, ratio } from './figure.ts'
import { printedAddress } from './printed-address.ts'

interface ServerProcess {
  child: ChildProcess
  url: string
  path: string
  apiKey: string
}

const connections = 32
const rounds = 10

async function start(kind: 'mock' | 'fixed'): Promise<ServerProcess> {
  const child = fork('bench/processes/server.ts', [kind], { execArgv: ['--expose-gc'] })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`bench/processes/server.ts exited with ${code} before it was ready.`)
  })
  const [facts] = (await Promise.race([once(child, 'message'), ended])) as [
    Omit<ServerProcess, 'child'>,
  ]
  return { child, ...facts }
}

/** The result is in megabytes. */
async function heapOf({ child }: ServerProcess): Promise<number> {
  const message = once(child, 'message')
  child.send('heap')
  const [megabytes] = (await message) as [number]
  return megabytes
}

interface Load {
  /** Requests per second. */
  rate: number
  /** The 99th percentile of the response times, in milliseconds. */
  p99: number
}

async function load({ url, path, apiKey }: ServerProcess, count: number): Promise<Load> {
  const { hostname, port, host } = new URL(url)
  const request = Buffer.from(
    `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nx-service-api-key: ${apiKey}\r\n\r\n`,
  )
  let remaining = count
  const takeOne = () => remaining-- > 0
  const latencies: number[] = []
  const startTime = performance.now()
  await Promise.all(
    Array.from({ length: connections }, () =>
      sendOver(connect(Number(port), hostname), request, takeOne, latencies),
    ),
  )
  const rate = count / ((performance.now() - startTime) / 1000)
  return { rate, p99: latencies.toSorted((one, other) => one - other)[count * 0.99] ?? 0 }
}

/**
 * Sends requests one at a time while `takeOne` returns true, and adds each response time in milliseconds to
 * `latencies`.
 */
function sendOver(
  socket: Socket,
  request: Buffer,
  takeOne: () => boolean,
  latencies: number[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    let missing = 0
    let sentAt = 0
    const sendNext = () => {
      if (!takeOne()) {
        socket.end(resolve)
        return
      }
      sentAt = performance.now()
      socket.write(request)
    }
    socket.setNoDelay(true).on('error', reject).on('connect', sendNext)
    socket.on('data', (data) => {
      if (missing === 0) missing = lengthOf(data)
      missing -= data.length
      if (missing > 0) return
      missing = 0
      latencies.push(performance.now() - sentAt)
      sendNext()
    })
  })
}

/** The response's head arrives in one chunk. */
function lengthOf(data: Buffer): number {
  const head = data.toString('latin1')
  const [, length] = /^HTTP\/1\.1 200.*?content-length: (\d+)/is.exec(head) ?? []
  if (length === undefined) throw new Error(`Expected 200, but got ${head.slice(0, 20)}`)
  return head.indexOf('\r\n\r\n') + 4 + Number(length)
}

/** Makes a process report its CPU time in microseconds when it gets a message. */
const reporter = `data:text/javascript,${encodeURIComponent(`
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send(user + system)
})
process.channel.unref()`)}`

/** Returns the median CPU time of several rounds for each command, in milliseconds. */
async function firstResponses(commands: readonly string[][]): Promise<number[]> {
  const times = commands.map((): number[] => [])
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, command] of commands.entries()) {
      times[at]?.push(await firstResponse(command))
    }
  }
  return times.map(median)
}

/** Returns the CPU time of a process from its start to its first response, in milliseconds. */
async function firstResponse(command: string[]): Promise<number> {
  const child = spawn(process.execPath, ['--import', reporter, ...command], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  try {
    const headers = { 'x-service-api-key': 'key' }
    const response = await fetch(`${await printedAddress(child)}/v2/providers`, { headers })
    await response.arrayBuffer()
    const message = once(child, 'message')
    child.send('usage')
    const [microseconds] = (await message) as [number]
    return microseconds / 1000
  } finally {
    // A process that is still exiting would slow down the next one.
    const ended = once(child, 'exit')
    child.kill()
    await ended
  }
}

/** Imports zod from its own files. The command's bundle contains zod in fewer and smaller files. */
const zodServer = `import { enableCompileCache } from 'node:module'
enableCompileCache()
await import('zod/mini')
// Node writes its cache at a regular exit.
process.on('SIGTERM', () => process.exit())
`

const bareServer = `import { createServer } from 'node:http'
const server = createServer((_, response) => response.end())
server.listen(0, '127.0.0.1', () => console.log(\`http://127.0.0.1:\${server.address().port}\`))`

export default async function (isFull: boolean): Promise<Figure[]> {
  const requests = isFull ? 200_000 : 40_000
  const [mock, fixed] = [await start('mock'), await start('fixed')]
  const rates: number[] = []
  const latencies: number[] = []
  await load(fixed, requests / rounds)
  await load(mock, requests / rounds)
  const before = await heapOf(mock)
  for (let round = 0; round < rounds; round += 1) {
    const bare = await load(fixed, requests / rounds)
    const served = await load(mock, requests / rounds)
    rates.push(served.rate / bare.rate)
    latencies.push(served.p99 / bare.p99)
  }
  const growth = (await heapOf(mock)) - before
  mock.child.kill()
  fixed.child.kill()

  mkdirSync('scratch', { recursive: true })
  const folder = mkdtempSync('scratch/bench-')
  await buildCommand(folder)
  const [bare = 0, zod = 0, command = 0] = await firstResponses([
    ['--input-type=module', '--eval', bareServer],
    ['--input-type=module', '--eval', zodServer + bareServer],
    [`${folder}/cli.js`, 'mock', '--port', '0'],
  ])
  rmSync(folder, { recursive: true })
  return [
    atLeast('Requests per second: the server / node:http with a fixed buffer', median(rates), 0.65),
    ratio(
      '99th-percentile latency: the server / node:http with a fixed buffer',
      median(latencies),
      3,
    ),
    megabytes(
      `Heap growth of the server over ${requests.toLocaleString('en-US')} requests`,
      growth,
      4,
    ),
    ratio(
      'CPU time until the first response: the command / a bare node:http server',
      command / bare,
      1.3,
    ),
    {
      what: 'CPU time until the first response: the command minus a bare node:http server',
      found: `${(command - bare).toFixed(0)} ms`,
    },
    {
      what: 'CPU time until the first response: a bare server with zod / a bare server without zod',
      found: (zod / bare).toFixed(2),
    },
  ]
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
