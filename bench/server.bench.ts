import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { buildCommand } from '../scripts/build/command.ts'
import { atLeast, type Figure, megabytes } from './figure.ts'
import { printedAddress } from './printed-address.ts'

interface Served {
  child: ChildProcess
  url: string
  path: string
  apiKey: string
}

const connections = 32
const requests = 200_000
const rounds = 10

async function start(kind: 'mock' | 'fixed'): Promise<Served> {
  const child = fork('bench/served.ts', [kind], { execArgv: ['--expose-gc'] })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`bench/served.ts ended with ${code} before it served.`)
  })
  const [facts] = (await Promise.race([once(child, 'message'), ended])) as [Omit<Served, 'child'>]
  return { child, ...facts }
}

/** Megabytes in use in another process. */
async function heapOf({ child }: Served): Promise<number> {
  const answer = once(child, 'message')
  child.send('heap')
  const [megabytes] = (await answer) as [number]
  return megabytes
}

/** Asks so many times over 32 connections, and gives how often in a second. */
async function load({ url, path, apiKey }: Served, count: number): Promise<number> {
  const { hostname, port, host } = new URL(url)
  const asked = Buffer.from(
    `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nx-service-api-key: ${apiKey}\r\n\r\n`,
  )
  let left = count
  const take = () => left-- > 0
  const began = performance.now()
  await Promise.all(
    Array.from({ length: connections }, () =>
      askOver(connect(Number(port), hostname), asked, take),
    ),
  )
  return count / ((performance.now() - began) / 1000)
}

/** One request after the other, as long as there are any to take. */
function askOver(socket: Socket, asked: Buffer, take: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let missing = 0
    const ask = () => {
      if (take()) socket.write(asked)
      else socket.end(resolve)
    }
    socket.setNoDelay(true).on('error', reject).on('connect', ask)
    socket.on('data', (data) => {
      if (missing === 0) missing = lengthOf(data)
      missing -= data.length
      if (missing <= 0) ask()
      missing = Math.max(missing, 0)
    })
  })
}

/** How long an answer is, from its head, which comes in one piece. */
function lengthOf(data: Buffer): number {
  const head = data.toString('latin1')
  const [, length] = /^HTTP\/1\.1 200.*?content-length: (\d+)/is.exec(head) ?? []
  if (length === undefined) throw new Error(`Expected 200, but got ${head.slice(0, 20)}`)
  return head.indexOf('\r\n\r\n') + 4 + Number(length)
}

/** Milliseconds from the start of a process to its first answer: the least of several. */
async function firstAnswer(...command: string[]): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at < rounds; at += 1) {
    const began = performance.now()
    const child = spawn(process.execPath, command)
    try {
      const headers = { 'x-service-api-key': 'key' }
      await fetch(`${await printedAddress(child)}/v2/providers`, { headers })
      least = Math.min(least, performance.now() - began)
    } finally {
      child.kill()
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
  await load(fixed, requests / rounds)
  await load(mock, requests / rounds)
  const before = await heapOf(mock)
  for (let round = 0; round < rounds; round += 1) {
    const bare = await load(fixed, requests / rounds)
    ratios.push((await load(mock, requests / rounds)) / bare)
  }
  const growth = (await heapOf(mock)) - before
  mock.child.kill()
  fixed.child.kill()
  const median = ratios.toSorted((one, other) => one - other)[rounds / 2] ?? 0

  mkdirSync('scratch', { recursive: true })
  const folder = mkdtempSync('scratch/bench-')
  await buildCommand(folder)
  const bare = await firstAnswer('--input-type=module', '--eval', bareServer)
  const command = await firstAnswer(`${folder}/cli.js`, 'mock', '--port', '0')
  rmSync(folder, { recursive: true })
  return [
    atLeast('Requests a second of the server, to a fixed buffer of node:http', median, 0.5),
    megabytes('Heap growth of the server over 200,000 requests', growth, 4),
    {
      what: 'First response of the command, compared with a bare node:http server',
      found: `${(command - bare).toFixed(0)} ms`,
      limit: 'at most 60 ms',
      isWithin: command - bare <= 60,
    },
  ]
}
