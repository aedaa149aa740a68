import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { MockServer } from '../../../mock/server/server.ts'
import { userId, userInfoBody } from '../../support/bodies.ts'
import { served } from './served-mock.ts'

interface Sent {
  host?: string
  body?: object
  length?: number
  headers?: string
}

/** Returns the text of a request. */
function asText(line: string, { host = 'x', body, length, headers = '' }: Sent = {}): string {
  const content = body ? JSON.stringify(body) : ''
  const size = length ?? content.length
  return `${line} HTTP/1.1\r\nhost: ${host}\r\nx-service-api-key: k\r\ncontent-length: ${size}\r\n${headers}\r\n${content}`
}

/** Sends requests in one packet. */
function open({ url }: MockServer, ...requests: string[]): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(requests.join(''))
  return socket
}

/** Returns the status lines that the server sends until it closes the connection. */
async function statusesOf(socket: Socket): Promise<string[]> {
  let received = ''
  socket.on('data', (part) => {
    received += part
  })
  await new Promise((closed) => socket.on('error', () => {}).on('close', closed))
  return [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status)
}

const providers = asText('GET /v2/providers?source_type=none')
const last = asText('GET /v2/nothing', { headers: 'connection: close\r\n' })
const info = (body: object) => asText(`PATCH /v2/user/${userId}/info`, { body })

it('responds in order to requests in one packet', async () => {
  const socket = open(await served(), providers, last)
  expect((await text(socket)).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404'])
})

it('applies writes in order, even if the first one takes longer', async () => {
  const server = await served()
  const first = info({ ...userInfoBody(), first_name: 'First', ignored: 'x'.repeat(3_000_000) })
  const second = info({ ...userInfoBody(), first_name: 'Second' })
  expect(await statusesOf(open(server, first, second, last))).toEqual(['200', '200', '404'])
  expect(server.mock.teamOf('k')?.users.get(userId)?.info?.first_name).toBe('Second')
})

describe('a request behind another one', () => {
  it.each([
    ['refuse_connection', []],
    ['cut_before_response', ['200']],
    ['lose_response', ['200']],
    ['cut_mid_body', ['200', '200']],
  ] as const)('breaks the connection for %s', async (then, statuses) => {
    const server = await served()
    const team = server.mock.getOrCreateTeam('k')
    team.faults.add({ on: 'labTests.listMarkers', then })
    const sent = open(server, providers, asText('GET /v3/lab_tests/markers'), info(userInfoBody()))
    expect(await statusesOf(sent)).toEqual(expect.arrayContaining([...statuses]))
    expect(team.users.size).toBe(0)
  })

  it.each([
    ['403', asText('GET /v2/providers', { host: 'evil.example' })],
    ['413', asText('POST /v3/order', { length: 100_000_000 })],
  ])('gets its %s', async (status, request) => {
    const server = await served()
    const socket = open(server, providers, request)
    socket.on('data', (part) => {
      if (String(part).includes(`HTTP/1.1 ${status}`)) socket.destroy()
    })
    expect(await statusesOf(socket)).toEqual(['200', status])
  })

  it('waits for a booking, and is not executed if the client disconnects', async () => {
    const server = await served({ clock: 'manual' })
    const team = server.mock.getOrCreateTeam('k')
    const book = (key: string) =>
      asText(`POST /v3/order/${team.orders.create().id}/phlebotomy/appointment/book`, {
        body: { booking_key: key },
      })
    const socket = open(
      server,
      book('bk_confirm_after_3s'),
      info(userInfoBody()),
      book('bk_never'),
      info({}),
    )
    await team.clock.whenWaiting()
    expect(team.users.size).toBe(2)
    await team.clock.advance('3s')
    await team.clock.whenWaiting()
    socket.destroy()
    await vi.waitFor(() => expect(team.journal.last()?.outcome).toBe('aborted'), {
      timeout: 60_000,
    })
    expect(team.journal.lines()).toEqual([
      'orders.bookPhlebotomyAppointment 200',
      'users.updateInfo 200',
      'orders.bookPhlebotomyAppointment aborted',
    ])
  })

  it('receives 100 Continue for its body', async () => {
    const server = await served()
    const request = asText(`PATCH /v2/user/${userId}/info`, {
      body: userInfoBody(),
      headers: 'expect: 100-continue\r\n',
    })
    expect(await statusesOf(open(server, providers, request, last))).toEqual([
      '200',
      '100',
      '200',
      '404',
    ])
  })

  it('may be a HEAD', async () => {
    const head = asText('HEAD /v2/providers')
    expect(await statusesOf(open(await served(), providers, head, last))).toEqual([
      '200',
      '200',
      '404',
    ])
  })
})
