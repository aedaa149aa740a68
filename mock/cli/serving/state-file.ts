import { promises } from 'node:fs'
import { messageOf } from '../../errors.ts'
import type { Mock } from '../../mock.ts'
import { captureTeam, type Reproduction } from '../../snapshot/reproduction.ts'
import { CommandFailure } from '../failure.ts'

const format = 'health-lab-mock-state'
const version = 1

/** The content of a state file. */
interface SavedState {
  format: typeof format
  version: typeof version
  /** The seed of the mock, from which its keys are generated. */
  seed: string
  teams: Reproduction[]
}

/**
 * Reads a state file.
 *
 * @returns A function that restores its teams; undefined if there is no file.
 * @throws {CommandFailure} If the file cannot be read, is damaged, or is from a mock with another seed.
 */
export async function readState(
  path: string,
  seed: string,
): Promise<((mock: Mock) => void) | undefined> {
  const text = await readText(path)
  if (text === undefined) return undefined
  const state = parseState(path, text)
  if (state.seed !== seed) {
    throw new CommandFailure(
      `The state file ${path} was saved with --seed ${state.seed}. Use that seed, or another file.`,
      2,
    )
  }
  return (mock) => {
    try {
      for (const team of state.teams) mock.reproduce(team)
    } catch (error) {
      throw damaged(path, messageOf(error))
    }
  }
}

/**
 * Saves the used teams of a mock. A crash leaves the old file or the new one, because the new one is complete before it
 * replaces the old one.
 */
export async function saveState(path: string, mock: Mock, seed: string): Promise<void> {
  const teams = mock
    .teams()
    .flatMap((team) => (team.isUsed ? [captureTeam(team.apiKey, team.state)] : []))
  const state: SavedState = { format, version, seed, teams }
  const temporary = `${path}.${process.pid}.tmp`
  const file = await promises.open(temporary, 'w')
  try {
    await file.writeFile(JSON.stringify(state))
    await file.sync()
  } finally {
    await file.close()
  }
  await promises.rename(temporary, path)
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await promises.readFile(path, 'utf8')
  } catch (error) {
    // Errors of Node have a code.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
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
  const isState = found.format === format && Array.isArray(found.teams)
  if (!isState) throw damaged(path, 'It is not a state file of the mock.')
  if (found.version !== version) {
    throw damaged(path, `Its version is not ${version}; another version of the package saved it.`)
  }
  // `reproduce` checks each team.
  return found
}

function damaged(path: string, reason: string): CommandFailure {
  return new CommandFailure(
    `The state file ${path} cannot be loaded: ${reason} Restore a copy of it, or delete it to start without state.`,
  )
}
