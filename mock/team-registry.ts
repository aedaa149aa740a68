import { Random } from './base/random.ts'
import { MockError } from './errors.ts'
import { resetWorld } from './snapshot/reset.ts'
import { checkOptions } from './state/check-options.ts'
import { connectionClock } from './state/clock/connection-clock.ts'
import { defaultSettings, type Settings, type TeamOptions } from './state/defaults.ts'
import { checkFields } from './state/plain.ts'
import { mergeSettings, teamKeySchema } from './state/settings.ts'
import { Team, type TeamConnection } from './team.ts'
import { TeamState } from './team-state.ts'

const teamOptionNames = ['apiKey', ...Object.keys(defaultSettings)]

/** What all teams of a mock share. */
interface SharedFacts extends Pick<TeamConnection, 'baseUrl' | 'fetch'> {
  seed: string
  /** The largest number of teams that requests create. */
  autoTeamLimit: number
  /** Returns the base URL of the links in responses and events. */
  linkBase: () => string
  /** Reports errors that no caller receives. */
  report: (error: unknown) => void
}

/** A team, and its state. */
interface Registration {
  team: Team
  world: TeamState
}

/** The teams of a mock, by API key. */
export class TeamRegistry {
  readonly #facts: SharedFacts
  readonly #settings: Settings
  readonly #registrations = new Map<string, Registration>()
  /** The API keys of teams that requests created, the least recently used first. */
  readonly #autoTeams = new Set<string>()
  /** The number of the latest team. */
  #ordinal = 0

  constructor(facts: SharedFacts, options: TeamOptions) {
    this.#facts = facts
    this.#settings = mergeSettings(defaultSettings, options)
  }

  /** Creates a team, with the next number if none is given. */
  add({ apiKey, ...changes }: TeamOptions, ordinal: number = this.#ordinal + 1): Team {
    const { seed, baseUrl, linkBase, fetch, report } = this.#facts
    const numbered = `${seed}/team/${ordinal}`
    const ownKey = makeApiKey(numbered)
    const key = apiKey ?? ownKey
    checkFields(changes, teamOptionNames, 'the options of a team')
    this.#checkKey(key)
    // The seed of a team with an explicit key must not depend on how many teams were created before it.
    const teamSeed = key === ownKey ? numbered : `${seed}/team/${key}`
    const identity = { ordinal, seed: teamSeed, linkBase, report }
    const world = new TeamState(identity, mergeSettings(this.#settings, changes))
    const clock = connectionClock(world.clock)
    const team = new Team(world, { apiKey: key, baseUrl, fetch, clock, exposeDetail: true }, seed)
    // The ordinal of a reproduction may be any value until its snapshot is checked.
    if (ordinal > this.#ordinal) this.#ordinal = ordinal
    this.#registrations.set(key, { team, world })
    return team
  }

  /** Returns the team of an API key; undefined for an unknown key. From now on no limit deletes it. */
  get(apiKey: string): Team | undefined {
    this.#autoTeams.delete(apiKey)
    return this.#registrations.get(apiKey)?.team
  }

  /**
   * Returns the team of an API key, and creates it if the key is unknown. Beyond the limit, the least recently used one of
   * these teams without a request in progress is deleted.
   */
  getOrCreate(apiKey: string): Team {
    const known = this.#registrations.get(apiKey)?.team
    if (known && !this.#autoTeams.delete(apiKey)) return known
    const team = known ?? this.add({ apiKey })
    this.#autoTeams.add(apiKey)
    this.#deleteUnused()
    return team
  }

  /** Deletes a team. Returns whether a team had this API key. */
  delete(apiKey: string): boolean {
    const world = this.worldOf(apiKey)
    if (!world) return false
    this.#registrations.delete(apiKey)
    this.#autoTeams.delete(apiKey)
    resetWorld(world)
    return true
  }

  /** Returns the teams in insertion order. */
  list(): Team[] {
    return [...this.#registrations.values()].map(({ team }) => team)
  }

  /** Returns the state of the team with an API key; undefined for an unknown key. */
  worldOf(apiKey: string): TeamState | undefined {
    return this.#registrations.get(apiKey)?.world
  }

  /** Returns the states of all teams. */
  worlds(): TeamState[] {
    return [...this.#registrations.values()].map(({ world }) => world)
  }

  #checkKey(apiKey: string): void {
    checkOptions(teamKeySchema, { apiKey }, 'options')
    if (!this.#registrations.has(apiKey)) return
    throw new MockError(
      'invalid_option',
      'Another team uses this apiKey. Pass a different one, or delete that team first.',
    )
  }

  #deleteUnused(): void {
    for (const apiKey of this.#autoTeams) {
      if (this.#autoTeams.size <= this.#facts.autoTeamLimit) return
      if (!this.worldOf(apiKey)?.clock.isBusy) this.delete(apiKey)
    }
  }
}

function makeApiKey(seed: string): string {
  return `sk_mock_${new Random(`${seed}/key`).uuid().replaceAll('-', '')}`
}
