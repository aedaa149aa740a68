import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createMock } from '../../mock/index.ts'
import { certify } from '../../src/certify/index.ts'
import { exitCodeOf, readyOf, useCommand } from '../support/command.ts'
import { hasPostgres, startPostgres, withoutPostgres } from '../support/postgres.ts'
import { delivery, secret } from '../support/signed.ts'
import { nightEvent, user } from './synced-schema.ts'

const { run, start } = useCommand()
const folder = mkdtempSync(join(tmpdir(), 'sync-command-'))
afterAll(() => rmSync(folder, { recursive: true }))
const flags = ['--secret', secret, '--port', '0', '--json']

async function deliver(url: string, event: object, id: string): Promise<number> {
  const request = await delivery({ user_id: user, ...event }, { id })
  const init = { method: 'POST', headers: request.headers, body: await request.text() }
  return (await fetch(`${url}/events`, init)).status
}

const textOf = async (url: string) => (await fetch(url)).text()

it('keeps what it stored in a folder, and stops cleanly', async () => {
  const words = ['sync', ...flags, '--folder', join(folder, 'data'), '--probe']
  const first = start(...words)
  const { url } = await readyOf(first)
  expect(await deliver(url, nightEvent({ total: 300 }), 'a')).toBe(200)
  expect(await textOf(`${url}/health`)).toBe('ok')
  expect(await textOf(`${url}/metrics`)).toMatch(/\nhealth_lab_sync_messages_total 1\n/)
  expect((await fetch(`${url}/other`)).status).toBe(404)
  const stopped = exitCodeOf(first)
  first.kill('SIGTERM')
  expect(await stopped).toBe(0)
  const second = start(...words)
  const again = await readyOf(second)
  const stored = JSON.parse(await textOf(`${again.url}/records?user_id=${user}`))
  expect(stored).toMatchObject({ handled: ['a'], records: [{ id: 'night-1', total: 300 }] })
  const ended = exitCodeOf(second)
  second.kill('SIGINT')
  expect(await ended).toBe(0)
})

it('prints the SQL, and says what is missing', async () => {
  const { out } = await run('sync', '--sql', '--schema', 'mine')
  expect(out).toMatch(/^-- V0000__messages\.sql\n/)
  expect(out).toContain('create table "mine".sleep (')
  const { code, err } = await run('sync', '--folder', join(folder, 'other'))
  expect([code, err]).toEqual([2, 'error: Expected --secret with the secret of the endpoint.\n'])
  const url = 'postgres://someone:hunter2@127.0.0.1:1/none'
  const failed = await run('sync', ...flags, '--database', url)
  expect(failed.code).toBe(1)
  expect(failed.err).toMatch(/The database cannot be used: ECONNREFUSED/)
  expect(failed.err).not.toContain('hunter2')
})

describe.skipIf(!hasPostgres)(`with Postgres${hasPostgres ? '' : ` ${withoutPostgres}`}`, () => {
  it('passes certify', async () => {
    const { connection, stop } = await startPostgres()
    try {
      const database = `postgres://postgres@localhost/postgres?host=${connection.host}`
      const { url } = await readyOf(start('sync', ...flags, '--database', database, '--probe'))
      const report = await certify({
        ...{ url: `${url}/events`, secret, timeout: 60_000, settleTime: 0 },
        team: createMock({ seed: 7, living: true }).team(),
        probe: async ({ user_id }) => (await fetch(`${url}/records?user_id=${user_id}`)).json(),
      })
      const failed = report.results.filter(({ outcome }) => outcome === 'failed')
      expect(failed.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([])
      expect(report.passed).toBeGreaterThan(40)
    } finally {
      await stop()
    }
  })
})
