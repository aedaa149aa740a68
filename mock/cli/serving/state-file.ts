import { readFile, stat } from 'node:fs/promises'
import { isObject } from '../../../src/shared/narrow.ts'
import { stringifyInSlices } from '../../control/json-slices.ts'
import { messageOf } from '../../errors.ts'
import type { Mock } from '../../mock.ts'
import { Random } from '../../reference-data/random.ts'
import { captureTeam, type Reproduction } from '../../snapshot/reproduction.ts'
import { readSnapshot } from '../../snapshot/snapshot.ts'
import type { TeamState } from '../../state/team-state.ts'
import { CommandFailure } from '../options.ts'
import { linkTargetOf, removeTemporaries, replaceFile } from './replace-file.ts'
import { type FileLock, lockFile } from './state-lock.ts'

const format = 'health-lab-mock-state'
const version = 1

interface SavedState {
  format: typeof format
  version: typeof version
  /** The mock's seed, from which its keys are generated. */
  seed: string
  /** Whether the server saved the file at shutdown. If so, the file contains all events. */
  isFinal: boolean
  /** The number of killed servers that used this file. Default: 0. */
  kills?: number
  teams: Reproduction[]
}

export interface ReadState {
  /** The number of killed servers that used this file. New teams must not reuse the event ids of lost teams. */
  kills: number
  restore: (mock: Mock) => void
}

export interface StateFile {
  /** The path that was passed to the flag, for messages. */
  path: string
  /** The path of the file itself, with symbolic links resolved. */
  target: string
  lock: FileLock
}

/**
 * Locks a state file, which need not exist.
 *
 * @throws {CommandFailure} when another process uses the file, or the file cannot be written.
 */
export async function openState(path: string): Promise<StateFile> {
  try {
    const target = await linkTargetOf(path)
    const found = await stat(target).catch(() => undefined)
    if (found && !found.isFile()) throw new Error('it is not a regular file')
    const lock = await lockFile(target, { kind: 'state file', flag: '--state', holder: 'mock' })
    await removeTemporaries(target)
    return { path, target, lock }
  } catch (error) {
    throw error instanceof CommandFailure ? error : unwritable(path, error)
  }
}

export function unwritable(path: string, error: unknown): CommandFailure {
  return new CommandFailure(`The state file ${path} cannot be written: ${messageOf(error)}.`)
}

/**
 * Reads a state file, or returns undefined if it does not exist.
 *
 * @throws {CommandFailure} when the file cannot be read, is damaged, or was written with a different seed.
 */
export async function readState(path: string, seed: string): Promise<ReadState | undefined> {
  const text = await readText(path)
  if (text === undefined) return undefined
  const state = parseState(path, text)
  if (state.seed !== seed) {
    throw new CommandFailure(
      `The state file ${path} was saved with --seed ${state.seed}. Use that seed, or another file.`,
      2,
    )
  }
  const restore = (mock: Mock) => {
    try {
      mock.restoreTeams(state.teams)
      if (!state.isFinal) for (const team of mock.teams()) restart(team.state)
    } catch (error) {
      throw damaged(path, messageOf(error))
    }
  }
  return { kills: (state.kills ?? 0) + (state.isFinal ? 0 : 1), restore }
}

/** Ensures that new events and records get new ids. Otherwise, they could reuse ids that were sent but not saved. */
function restart(state: TeamState): void {
  state.outbox.restart()
  const { words } = state.random.fork(`restart/${state.outbox.snapshot().restarts?.length}`).state()
  // Forks depend only on the seed, so the content of events does not change.
  state.random = Random.from({ ...state.random.state(), words })
}

export async function stateFileContent(
  mock: Mock,
  { seed, isFinal, kills = 0 }: { seed: string; isFinal: boolean; kills: number | undefined },
): Promise<string> {
  const teams: string[] = []
  for (const { apiKey, state } of mock.teams().filter(({ isUsed }) => isUsed)) {
    await state.catchUpInSlices(true)
    const { snapshot, ...others } = captureTeam(apiKey, state, readSnapshot)
    const json = await stringifyInSlices(snapshot)
    teams.push(`${JSON.stringify(others).slice(0, -1)},"snapshot":${json}}`)
  }
  const head: Omit<SavedState, 'teams'> = {
    format,
    version,
    seed,
    isFinal,
    ...(kills > 0 ? { kills } : {}),
  }
  return `${JSON.stringify(head).slice(0, -1)},"teams":[${teams}]}`
}

export async function writeState({ lock, target }: StateFile, state: string): Promise<void> {
  await lock.check()
  await replaceFile(target, state)
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (Object(error).code === 'ENOENT') return undefined
    throw new CommandFailure(`The state file ${path} cannot be read: ${messageOf(error)}.`)
  }
}

function parseState(path: string, text: string): SavedState {
  let state: unknown
  try {
    state = JSON.parse(text)
  } catch {
    throw damaged(path, 'It is not JSON.')
  }
  const found = Object(state)
  const isState =
    found.format === format && Array.isArray(found.teams) && found.teams.every(isObject)
  if (!isState) throw damaged(path, 'It is not a state file of the mock.')
  if (found.version !== version) {
    throw damaged(
      path,
      `Its version is not ${version}, because a different version of the package saved it.`,
    )
  }
  const keys = new Set(found.teams.map(({ apiKey }: Reproduction) => apiKey))
  if (keys.size < found.teams.length) {
    throw damaged(path, 'Two of its teams have the same API key.')
  }
  // `reproduce` checks each team.
  return found
}

function damaged(path: string, reason: string): CommandFailure {
  return new CommandFailure(
    `The state file ${path} cannot be loaded: ${reason} Restore a backup, or delete the file to start without state.`,
  )
}
