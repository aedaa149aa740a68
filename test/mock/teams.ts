import { spawnSync } from 'node:child_process'
import type { Team } from '../../mock/index.ts'
import { call } from '../support/call.ts'

export const latest = Date.parse('9999-01-01T00:00:00Z')

export function book(team: Team, order: string, booking_key = 'bk_never', more: object = {}) {
  const route = `POST /v3/order/${order}/phlebotomy/appointment/book`
  return call(team, route, { booking_key, ...more })
}

export const inBackground = {
  async_confirmation: true,
  sync_confirmation_timeout_millisecond: 1000,
}

/** Runs a program in a new process. Only one that hangs reaches the timeout. */
export function child(program: string, ...options: string[]) {
  const source = program.replaceAll("'../../mock/", `'${new URL('../../mock/', import.meta.url)}`)
  const { status, stdout } = spawnSync(
    process.execPath,
    [...options, '--input-type=module', '--eval', source],
    { encoding: 'utf8', timeout: 240_000, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  return { status, stdout }
}
