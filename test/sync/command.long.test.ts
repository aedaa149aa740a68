import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { PGlite } from '@electric-sql/pglite'
import { Client } from 'pg'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { formatProgress } from '../../mock/cli/sync/backfill.ts'
import { createMock } from '../../mock/index.ts'
import { serve } from '../../mock/server.ts'
import { runsLongTests } from '../support/long-tests.ts'
import { exitCodeOf, readyOf, useCommand } from '../support/programs/command.ts'
import { hasPostgres, startPostgres, withoutPostgres } from '../support/programs/postgres.ts'
import { delivery, secret } from '../support/signed.ts'
import { nightEvent, user } from './synced-schema.ts'

const { run, start, startWith } = useCommand()
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
  const unknown = await fetch(`${again.url}/records?user_id=a%00`)
  expect([unknown.status, await unknown.json()]).toEqual([200, { handled: ['a'], records: [] }])
  const ended = exitCodeOf(second)
  second.kill('SIGINT')
  expect(await ended).toBe(0)
})

it('ignores DATABASE_URL beside --folder', async () => {
  const variables = { DATABASE_URL: 'postgres://someone@127.0.0.1:1/none' }
  const words = ['sync', '--chart', '--folder', join(folder, 'chosen')]
  const codes = [[], ['--database', variables.DATABASE_URL]].map((more) =>
    exitCodeOf(startWith(variables, ...words, ...more)),
  )
  expect(await Promise.all(codes)).toEqual([0, 1])
})

it('refuses a folder that another process uses, until that process ends', async () => {
  const place = join(folder, 'shared')
  const first = start('sync', ...flags, '--folder', place)
  await readyOf(first)
  const { code, err } = await run('sync', '--chart', '--folder', place)
  expect([code, err]).toEqual([
    1,
    expect.stringContaining(`in use by another sync command, process ${first.pid}.`),
  ])
  const killed = exitCodeOf(first)
  first.kill('SIGKILL')
  await killed
  expect((await run('sync', '--chart', '--folder', place)).code).toBe(0)
})

it.each([
  { change: ['--schema', 'bad-name'], problem: 'error: Expected schema to be 1 to 63 letters' },
  { change: ['--max-attempts', '0'], problem: 'Expected an integer of at least 1.' },
  { change: ['--secret', 'nonsense'], problem: 'error: Expected each secret to be whsec_' },
])('refuses $change', async ({ change, problem }) => {
  const { code, err } = await run(
    ...['sync', '--secret', secret, '--port', '0', '--folder', join(folder, 'refused')],
    ...change,
  )
  expect([code, err]).toEqual([2, expect.stringContaining(problem)])
  expect(err).not.toContain('node:internal')
})

it('responds to every path, and stops beside a client that sends nothing more', async () => {
  const child = start('sync', ...flags, '--folder', join(folder, 'paths'))
  const port = Number(new URL((await readyOf(child)).url).port)
  for (const target of ['//', 'http://[', '*']) {
    const socket = connect(port, '127.0.0.1')
    socket.write(`GET ${target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)
    expect(await text(socket)).toContain('404 Not Found')
  }
  const silent = connect(port, '127.0.0.1').on('error', () => {})
  await once(silent, 'connect')
  const stopped = exitCodeOf(child)
  child.kill('SIGTERM')
  expect(await stopped).toBe(0)
})

it('stops although its database never responds', async () => {
  const frozen = createServer()
  onTestFinished(() => void frozen.close())
  frozen.listen(0, '127.0.0.1')
  await once(frozen, 'listening')
  const { port } = frozen.address() as AddressInfo
  const child = start('sync', ...flags, '--database', `postgres://a@127.0.0.1:${port}/a`)
  await once(frozen, 'connection')
  const stopped = exitCodeOf(child)
  child.kill('SIGTERM')
  expect(await stopped).toBe(1)
})

it('prints the SQL, and says what is missing', async () => {
  const { out } = await run('sync', '--sql', '--schema', 'mine')
  expect(out).toMatch(/^-- V0000__messages\.sql\n/)
  expect(out).toContain('create table "mine".sleep (')
  const { code, err } = await run('sync', '--folder', join(folder, 'other'))
  expect([code, err]).toEqual([
    2,
    'error: Expected the endpoint secret. Pass --secret, or set HEALTH_LAB_WEBHOOK_SECRET.\n',
  ])
  const url = 'postgres://someone:hunter2@127.0.0.1:1/none'
  const failed = await run('sync', ...flags, '--database', url)
  expect(failed.code).toBe(1)
  expect(JSON.parse(failed.err)).toEqual({ error: 'The database cannot be used: ECONNREFUSED.' })
  const invalid = await run('sync', ...flags, '--database', 'postgres://someone:hunter2@[none/db')
  expect(JSON.parse(invalid.err)).toEqual({
    error: 'The database cannot be used: ERR_INVALID_URL.',
  })
  const plain = createServer((socket) => socket.once('data', () => socket.end('N')))
  onTestFinished(() => void plain.close())
  plain.listen(0, '127.0.0.1')
  await once(plain, 'listening')
  const { port } = plain.address() as AddressInfo
  const secured = `postgres://someone:hunter2@127.0.0.1:${port}/db?sslmode=require`
  const refused = await run('sync', ...flags, '--database', secured)
  // The driver also prints a warning about the mode.
  expect(refused.err).toContain('cannot be used: The server does not support SSL connections.')
  expect(refused.err).not.toContain('hunter2')
})

it('says which statement failed if the tables cannot be created', async () => {
  const place = join(folder, 'taken')
  const database = await PGlite.create(place)
  await database.exec('create schema health; create table health.messages (id text)')
  await database.close()
  const { code, err } = await run('sync', '--folder', place, '--chart')
  const reason = 'Postgres rejected a statement: 42P07.'
  expect([code, err]).toEqual([1, `error: The database cannot be used: ${reason}\n`])
})

it.runIf(runsLongTests)('fills a folder with generated data, and prints charts', async () => {
  const words = ['sync', '--folder', join(folder, 'demo')]
  const demo = await run(...words, '--demo')
  expect(demo.err).toMatch(/^Stored [\d,]+ rows from \d+ events of a generated user\.\n$/)
  const lines = demo.out.trimEnd().split('\n')
  expect(lines.shift()).toBe('Mean hours of sleep by night')
  expect(lines.length).toBeGreaterThan(7)
  expect(lines.every((line) => /^2025-\d\d-\d\d █+ +\d+(\.\d)?$/.test(line))).toBe(true)
  const text = "select name, value from (values ('one', 1), ('other', 2)) as t (name, value)"
  const { out } = await run(...words, '--chart', text)
  expect(out).toBe(`one   ${'█'.repeat(20)}${' '.repeat(20)} 1\nother ${'█'.repeat(40)} 2\n`)
  const { code, err } = await run(...words, '--chart', 'select nothing')
  expect([code, err]).toEqual([1, expect.stringMatching(/rejected the --chart query/)])
})

it('reads the summaries of the users of a file, and shows how far it is', async () => {
  const mock = createMock({ clock: 'realtime' })
  const team = mock.team()
  const users = [team.users.create({ living: true }), team.users.create({ living: true })]
  await team.clock.advance('2d')
  const served = await serve(mock)
  const file = join(folder, 'users.txt')
  writeFileSync(file, users.map(({ user_id }) => `${user_id}\n`).join(''))
  const words = ['sync', ...flags, '--folder', join(folder, 'filled'), '--users', file]
  expect((await run(...words)).err).toMatch(/Expected the first day. Pass --from/)
  const variables = { SERVICE_BASE_URL: served.url, SERVICE_API_KEY: team.connection().apiKey }
  const child = startWith(variables, ...words, '--from', '2025-05-20')
  let shown = ''
  await new Promise<void>((resolve) =>
    child.stderr.on('data', (chunk) => {
      shown += chunk
      if (shown.includes('\n')) resolve()
    }),
  )
  expect(shown).toMatch(/^\[#{20}\] 2 of 2 users, \d+ records\n$/)
  await served.close()
  expect(formatProgress({ users: 1, records: 1204 }, 4)).toBe(
    '[#####               ] 1 of 4 users, 1,204 records',
  )
})

const hasOpenssl = spawnSync('openssl', ['version']).error === undefined

describe.skipIf(!hasPostgres)(`with Postgres${hasPostgres ? '' : ` ${withoutPostgres}`}`, () => {
  it.skipIf(!hasOpenssl)('passes the options of TLS in the URL to the driver', async () => {
    const place = mkdtempSync(join(tmpdir(), 'sync-tls-'))
    const [key, cert] = [join(place, 'server.key'), join(place, 'server.crt')]
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost']
    const name = ['-addext', 'subjectAltName=DNS:localhost', '-days', '2']
    execFileSync('openssl', [...request, ...name, '-keyout', key, '-out', cert], {
      stdio: 'ignore',
    })
    chmodSync(place, 0o755)
    if (process.getuid?.() === 0) execFileSync('chown', ['postgres', key])
    chmodSync(key, 0o600)
    const port = await freePort()
    const files = [`ssl_cert_file=${cert}`, `ssl_key_file=${key}`]
    const listening = ['listen_addresses=localhost', `port=${port}`]
    const { connection, stop } = await startPostgres([...listening, 'ssl=on', ...files], port)
    try {
      const database = `postgres://postgres@localhost:${port}/postgres?sslmode=verify-full`
      await readyOf(start('sync', ...flags, '--database', `${database}&sslrootcert=${cert}`))
      const client = new Client(connection)
      await client.connect()
      const { rows } = await client.query(
        `select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid) where client_addr is not null`,
      )
      await client.end()
      expect(rows).toEqual([{ ssl: true }])
      // The certificate is not one that the system trusts.
      const { code, err } = await run('sync', ...flags, '--database', database)
      expect([code, err]).toEqual([1, expect.stringMatching(/SELF_SIGNED_CERT/)])
    } finally {
      await stop()
      rmSync(place, { recursive: true })
    }
  })
})

/** Returns a port that no server uses. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}
