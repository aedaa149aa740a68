import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { buildCommand } from '../scripts/build/command.ts'
import { atLeast, type Figure, megabytes } from './figure.ts'
import { printedAddress } from './printed-address.ts'

/** A process that serves an appointment. */
interface ServerProcess {
  child: ChildProcess
  url: string
  path: string
  apiKey: string
}

const connections = 32
const requests = 200_000
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

/** Returns the megabytes on the heap of the process. */
async function heapOf({ child }: ServerProcess): Promise<number> {
  const message = once(child, 'message')
  child.send('heap')
  const [megabytes] = (await message) as [number]
  return megabytes
}

/** Sends requests over 32 connections, and returns the number of requests per second. */
async function requestRate({ url, path, apiKey }: ServerProcess, count: number): Promise<number> {
  const { hostname, port, host } = new URL(url)
  const request = Buffer.from(
    `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nx-service-api-key: ${apiKey}\r\n\r\n`,
  )
  let remaining = count
  const takeOne = () => remaining-- > 0
  const startTime = performance.now()
  await Promise.all(
    Array.from({ length: connections }, () =>
      sendOver(connect(Number(port), hostname), request, takeOne),
    ),
  )
  return count / ((performance.now() - startTime) / 1000)
}

/** Sends one request after the other while `takeOne` returns true. */
function sendOver(socket: Socket, request: Buffer, takeOne: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let missing = 0
    const sendNext = () => {
      if (takeOne()) socket.write(request)
      else socket.end(resolve)
    }
    socket.setNoDelay(true).on('error', reject).on('connect', sendNext)
    socket.on('data', (data) => {
      if (missing === 0) missing = lengthOf(data)
      missing -= data.length
      if (missing <= 0) sendNext()
      missing = Math.max(missing, 0)
    })
  })
}

/** Returns the length of a response from its head, which arrives in one chunk. */
function lengthOf(data: Buffer): number {
  const head = data.toString('latin1')
  const [, length] = /^HTTP\/1\.1 200.*?content-length: (\d+)/is.exec(head) ?? []
  if (length === undefined) throw new Error(`Expected 200, but got ${head.slice(0, 20)}`)
  return head.indexOf('\r\n\r\n') + 4 + Number(length)
}

/** Returns the least milliseconds from the start of a process to its first response. */
async function firstResponse(...command: string[]): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at < rounds; at += 1) {
    const startTime = performance.now()
    const child = spawn(process.execPath, command)
    try {
      const headers = { 'x-service-api-key': 'key' }
      await fetch(`${await printedAddress(child)}/v2/providers`, { headers })
      least = Math.min(least, performance.now() - startTime)
    } finally {
      // A process that is still ending would take time from the next one.
      const ended = once(child, 'exit')
      child.kill()
      await ended
    }
  }
  return least
}

const bareServer = `import { createServer } from 'node:http'
const server = createServer((_, response) => response.end())
server.listen(0, '127.0.0.1', () => console.log(\`http://127.0.0.1:\${server.address().port}\`))`

export default async function (): Promise<Figure[]> {
  const [mock, fixed] = [await start('mock'), await start('fixed')]
  const ratios: number[] = []
  await requestRate(fixed, requests / rounds)
  await requestRate(mock, requests / rounds)
  const before = await heapOf(mock)
  for (let round = 0; round < rounds; round += 1) {
    const bare = await requestRate(fixed, requests / rounds)
    ratios.push((await requestRate(mock, requests / rounds)) / bare)
  }
  const growth = (await heapOf(mock)) - before
  mock.child.kill()
  fixed.child.kill()
  const median = ratios.toSorted((one, other) => one - other)[rounds / 2] ?? 0

  mkdirSync('scratch', { recursive: true })
  const folder = mkdtempSync('scratch/bench-')
  await buildCommand(folder)
  const bare = await firstResponse('--input-type=module', '--eval', bareServer)
  const command = await firstResponse(`${folder}/cli.js`, 'mock', '--port', '0')
  rmSync(folder, { recursive: true })
  return [
    atLeast('Requests per second: the server / a fixed buffer of node:http', median, 0.5),
    megabytes('Heap growth of the server over 200,000 requests', growth, 4),
    {
      what: 'First response of the command, compared with a bare node:http server',
      found: `${(command - bare).toFixed(0)} ms`,
      limit: 'at most 60 ms',
      isWithin: command - bare <= 60,
    },
  ]
}
