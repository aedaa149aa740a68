import { execFile } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, vi } from 'vitest'
import { ConnectionError, ServiceClient } from '../../src/index.ts'
import {
  type Behaviour,
  closedPort,
  respondWith,
  scriptedServer,
  stallBeforeHead,
} from '../support/programs/scripted-server.ts'
import { orderId } from '../support/samples.ts'
import { json } from '../support/stub-fetch.ts'

it('leaves no listener on a signal that is used for 1,000 calls', async () => {
  const { signal } = new AbortController()
  let asked = 0
  const client = new ServiceClient({
    apiKey: 'key',
    baseUrl: 'https://service.test',
    maxConcurrency: 20,
    fetch: async () => {
      asked += 1
      if (asked % 3 === 0) return json({}, 404)
      if (asked % 5 === 0) return json({}, 503, { 'retry-after': '0' })
      if (asked % 7 === 0) throw Object.assign(new Error(), { code: 'ENOTFOUND' })
      return json([])
    },
  })
  const calls = Array.from({ length: 1000 }, async (_, nth) => {
    const options = { signal, maxRetries: nth % 7 === 0 ? 0 : 1, timeout: 60_000 }
    const call =
      nth % 2 === 0
        ? client.link.listProviders({}, options)
        : client.orders.downloadRequisition(orderId, options).then((pdf) => pdf.bytes())
    await Promise.resolve(call).catch(() => {})
  })
  await Promise.all(calls)
  expect(asked).toBeGreaterThanOrEqual(1000)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

it('leaves no listener when the clock cannot start a timer', async () => {
  const { signal } = new AbortController()
  const startTimer = vi.fn(() => () => {})
  const clock = { now: () => 0, sleep: async () => {}, startTimer }
  const fetch = async () => new Response('%PDF', { headers: { 'content-type': 'application/pdf' } })
  const client = new ServiceClient({ apiKey: 'key', baseUrl: 'https://service.test', fetch, clock })
  const pdf = await client.orders.downloadRequisition(orderId, { signal })
  startTimer.mockImplementation(() => {
    throw new Error('no timer')
  })
  await expect(pdf.bytes()).rejects.toBeInstanceOf(ConnectionError)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

const script = fileURLToPath(new URL('../support/failing-call.ts', import.meta.url))

/** Runs one failing call in a process of its own; a process that lingers is killed, and the test fails. */
async function failAlone(...given: string[]): Promise<unknown> {
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, [script, ...given], { timeout: 240_000 })
  return JSON.parse(stdout)
}

it.each<[string, Behaviour, string]>([
  ['got 404', respondWith(404, { detail: 'none' }), 'NotFoundError'],
  ['got HTML', respondWith(200, '<html>'), 'ResponseValidationError'],
])('lets the process exit at once after a call that %s', async (_, behaviour, name) => {
  const { baseUrl } = await scriptedServer(behaviour)
  await expect(failAlone(baseUrl)).resolves.toEqual({ name, timers: [] })
})

it('lets the process exit at once after a call that timed out', async () => {
  const { baseUrl } = await scriptedServer(stallBeforeHead)
  await expect(failAlone(baseUrl, '50')).resolves.toEqual({ name: 'TimeoutError', timers: [] })
})

it('lets the process exit at once after a call whose connection was refused', async () => {
  const baseUrl = await closedPort()
  await expect(failAlone(baseUrl)).resolves.toEqual({ name: 'ConnectionError', timers: [] })
})
