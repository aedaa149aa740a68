import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { parse } from 'yaml'
import { MockError, messageOf } from '../../errors.ts'
import type { Fixture } from '../../fixtures/fixture.ts'
import { seedTeam } from '../../fixtures/seed.ts'
import { Mock } from '../../mock.ts'
import type { TeamState } from '../../team-state.ts'
import { CommandFailure } from '../failure.ts'

/** A fixture of a file that a team accepts. */
export type CheckedFixture = (team: TeamState) => void

/**
 * Reads a fixture from a JSON or YAML file.
 *
 * @returns A function that seeds a team with it.
 * @throws {CommandFailure} If the file cannot be read, or a value in it cannot be.
 */
export async function readFixtureFile(
  path: string,
  { allowsRemoteWebhooks }: { allowsRemoteWebhooks: boolean },
): Promise<CheckedFixture> {
  const fixture = parseFixture(path, await readText(path))
  const trial = new Mock({})
  trial.setHooks({ allowsRemoteWebhooks })
  try {
    seedTeam(trial.defaultTeam.state, fixture)
  } catch (error) {
    if (!(error instanceof MockError)) throw error
    throw new CommandFailure(`The fixture ${path} cannot be used: ${error.message}`, 2)
  }
  return (team) => void seedTeam(team, fixture)
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new CommandFailure(`The fixture ${path} cannot be read: ${messageOf(error)}.`, 2)
  }
}

function parseFixture(path: string, text: string): Fixture {
  const isYaml = ['.yaml', '.yml'].includes(extname(path).toLowerCase())
  try {
    return isYaml ? parse(text) : JSON.parse(text)
  } catch (error) {
    // Messages of parsers may contain a part of the file after the position.
    const [position = 'invalid syntax'] = /line \d+,? column \d+/.exec(messageOf(error)) ?? []
    const format = isYaml ? 'YAML' : 'JSON'
    throw new CommandFailure(`The fixture ${path} is not valid ${format}: ${position}.`, 2)
  }
}
