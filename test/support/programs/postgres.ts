import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'

/** Where Debian keeps the programs of its versions of Postgres. */
const installed = '/usr/lib/postgresql'
const newest = existsSync(installed)
  ? readdirSync(installed).toSorted((one, other) => Number(other) - Number(one))[0]
  : undefined
const programs = newest === undefined ? '' : join(installed, newest, 'bin')

/** Whether a Postgres server is installed. */
export const hasPostgres =
  (programs === '' ? spawnSync('postgres', ['--version']).error === undefined : true) &&
  spawnSync('runuser', ['--version']).error === undefined

/** Why tests with Postgres are skipped. */
export const withoutPostgres = 'is skipped: postgresql is not installed'

/** Postgres does not run as root. */
const prefix = userInfo().uid === 0 ? ['runuser', '-u', 'postgres', '--'] : []

function command(name: string, args: string[]): [file: string, args: string[]] {
  const [file = '', ...rest] = [...prefix, join(programs, name), ...args]
  return [file, rest]
}

/**
 * Starts a Postgres server on a Unix socket; returns how to connect to it, and a function that stops it.
 *
 * @param options Further settings, such as `wal_level=logical`.
 * @param port The port of these settings.
 */
export async function startPostgres(options: readonly string[] = [], port = 5432) {
  const folder = mkdtempSync(join(tmpdir(), 'health-lab-postgres-'))
  chmodSync(folder, 0o777)
  const data = join(folder, 'data')
  const created = spawnSync(
    ...command('initdb', [
      '-D',
      data,
      '-A',
      'trust',
      '-U',
      'postgres',
      '--no-sync',
      '--encoding=UTF8',
    ]),
  )
  if (created.status !== 0) throw new Error(`initdb failed: ${created.stderr}`)
  const given = ['fsync=off', 'listen_addresses=', 'max_connections=200', ...options]
  const settings = given.flatMap((setting) => ['-c', setting])
  const server = spawn(...command('postgres', ['-D', data, '-k', folder, ...settings]), {
    stdio: 'ignore',
  })
  const exited = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const connection = { host: folder, port, user: 'postgres', database: 'postgres' }
  await untilReady(connection)
  const stop = async () => {
    spawnSync(...command('pg_ctl', ['stop', '-D', data, '-m', 'immediate']))
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
  return { connection, stop }
}

/** The server accepts connections a moment after it starts. */
async function untilReady(connection: object): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const client = new Client(connection)
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (attempt === 200) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
