import { readFileSync } from 'node:fs'
import type { BackfillProgress } from '../../../src/sync/backfill.ts'
import type { Sync } from '../../../src/sync/sync.ts'
import { CommandFailure } from '../options.ts'
import type { SyncFlags } from './flags.ts'

export function usersOfFile({ users: file, from }: SyncFlags): string[] | undefined {
  if (file === undefined) return undefined
  if (from === undefined) throw new CommandFailure('Expected the first day. Pass --from.', 2)
  try {
    return readFileSync(file, 'utf8').split(/\s+/).filter(Boolean)
  } catch (error) {
    throw new CommandFailure(`Cannot read --users: ${Object(error).code}.`, 2)
  }
}

/** Backfills users, with a progress bar in a terminal. Prints errors instead of throwing them. */
export async function fill(
  sync: Sync,
  { users, from, signal }: { users: readonly string[]; from: string; signal: AbortSignal },
): Promise<void> {
  let line = formatProgress({ users: 0, records: 0 }, users.length)
  const onProgress = (progress: BackfillProgress) => {
    line = formatProgress(progress, users.length)
    if (process.stderr.isTTY) process.stderr.write(`\r${line}\u001b[K`)
  }
  const start = process.stderr.isTTY ? '\r' : ''
  try {
    await sync.backfill({ users, from, signal, onProgress })
    process.stderr.write(`${start}${line}\n`)
  } catch (error) {
    const { code, name, message } = Object(error)
    const reason =
      code === 'argument_invalid' ? message : `${code ?? name}. Run the command again to continue.`
    process.stderr.write(`${start}${line}\nThe backfill stopped: ${reason}\n`)
  }
}

/** Returns a line such as `[##########          ] 5 of 10 users, 1,204 records`. */
export function formatProgress(
  { users, records }: Pick<BackfillProgress, 'users' | 'records'>,
  total: number,
): string {
  const width = 20
  const done = total === 0 ? width : Math.floor((users / total) * width)
  return `[${'#'.repeat(done).padEnd(width)}] ${users} of ${total} users, ${records.toLocaleString('en-US')} records`
}
