import { readFileSync, rmSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { CommandFailure } from '../options.ts'

export interface FileLock {
  /** @throws {Error} when another process, such as one in another container, has taken over the file. */
  check(): Promise<void>
}

/** Describes a lock in messages. */
interface Subject {
  /** The kind of file, such as `state file`, and the flag that selects it. */
  kind: string
  flag: string
  /** The kind of process that holds the lock, such as `mock`. */
  holder: string
}

/** The content of a lock file: the process id and, on Linux, the process's start time, because ids are reused. */
const content = /^[1-9]\d*(?: \d+)?$/

/**
 * Locks a file or folder until this process ends, by creating a lock file beside it. Ignores locks of processes that
 * have exited.
 *
 * @throws {CommandFailure} when another process has the lock.
 */
export async function lockFile(path: string, subject: Subject): Promise<FileLock> {
  const lock = `${path}.lock`
  const own = describeProcess(process.pid) ?? String(process.pid)
  const create = () => writeFile(lock, own, { flag: 'wx' })
  try {
    await create()
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    checkHolder(path, lock, { ...subject, found: await readFile(lock, 'utf8') })
    await rm(lock, { force: true })
    return lockFile(path, subject)
  }
  process.once('exit', () => remove(lock, own))
  return { check: () => checkOwn(path, lock, own, create) }
}

function checkHolder(
  path: string,
  lock: string,
  { kind, flag, holder, found }: Subject & { found: string },
): void {
  if (found !== '' && !content.test(found)) {
    throw new CommandFailure(
      `${lock} is not a lock file of the ${holder}. Move it, or use another ${kind} with ${flag}.`,
    )
  }
  const pid = Number.parseInt(found, 10)
  const running = found === '' || pid === process.pid ? undefined : describeProcess(pid)
  // If the start time is unknown, any process with this id may be the holder.
  if (running !== found && running !== String(pid)) return
  throw new CommandFailure(
    `The ${kind} ${path} is in use by another ${holder}, process ${pid}. Stop that process, or use another ${kind} with ${flag}. If that process is not a ${holder}, delete ${lock}.`,
  )
}

/** Returns a string that identifies a running process, or undefined if the process has exited. */
function describeProcess(pid: number): string | undefined {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!hasCode(error, 'EPERM')) return undefined
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The process name, in parentheses, may contain spaces.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? undefined : `${pid} ${fields[18]}`
  } catch {
    return String(pid)
  }
}

async function checkOwn(
  path: string,
  lock: string,
  own: string,
  create: () => Promise<void>,
): Promise<void> {
  const holder = await readFile(lock, 'utf8').catch(() => undefined)
  if (holder === own) return
  if (holder === undefined) return create()
  throw new Error(
    `process ${Number.parseInt(holder, 10)} is now using ${path}. Stop that process or this one`,
  )
}

function remove(lock: string, own: string): void {
  try {
    if (readFileSync(lock, 'utf8') === own) rmSync(lock)
  } catch {
    // The folder may have been deleted.
  }
}

function hasCode(error: unknown, code: string): boolean {
  return Object(error).code === code
}
