import { Random } from './base/random.ts'
import { MockError } from './errors.ts'
import { resetWorld } from './snapshot/reset.ts'
import { checkOptions } from './state/check-options.ts'
import { defaultSettings, type Settings, type TeamOptions } from './state/defaults.ts'
import type { TeamHooks } from './state/identity.ts'
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
  /** Returns what the server of the mock sets. */
  hooks: () => MockHooks
}

/** What the server of a mock sets. */
export interface MockHooks extends TeamHooks {
  /** Called with each new team and each team after a reset; adds the records with which it starts. */
  prepare?: (state: TeamState) => void
}

/** The teams of a mock, by API key. */
export class TeamRegistry {
  readonly #facts: SharedFacts
  readonly #settings: Settings
  readonly #teams = new Map<string, Team>()
  /** The API keys of teams that requests created, the least recently used first. */
  readonly #autoTeams = new Set<string>()
  /** The numbers of the teams, by API key. */
  readonly #ordinals = new Map<string, number>()
  /** The greatest number of a team so far. */
  #ordinal = 0

  constructor(facts: SharedFacts, options: TeamOptions) {
    this.#facts = facts
    this.#settings = mergeSettings(defaultSettings, options)
  }

  /** Creates a team, with the next number if none is given or another team has it. */
  add({ apiKey, ...changes }: TeamOptions, wanted?: number): Team {
    const isFree = wanted !== undefined && ![...this.#ordinals.values()].includes(wanted)
    const ordinal = isFree ? wanted : this.#ordinal + 1
    const { seed, baseUrl, linkBase, fetch, report, hooks } = this.#facts
    const numbered = `${seed}/team/${ordinal}`
    const ownKey = makeApiKey(numbered)
    const key = apiKey ?? ownKey
    checkFields(changes, teamOptionNames, 'the options of a team')
    this.#checkKey(key)
    // The seed of a team with an explicit key must not depend on how many teams were created before it.
    const teamSeed = key === ownKey ? numbered : `${seed}/team/${key}`
    const identity = { ordinal, seed: teamSeed, linkBase, report, hooks }
    const settings = this.#settingsWith(changes)
    const prepare = (state: TeamState) => hooks().prepare?.(state)
    const create = () => {
      const state = new TeamState(identity, settings)
      prepare(state)
      return state
    }
    const connection = { apiKey: key, baseUrl, fetch, exposeDetail: true }
    const team = new Team(create, connection, { seed, settings, prepare })
    // Its time passes from now on.
    if (settings.clock === 'realtime') team.state.catchUp()
    // The ordinal of a reproduction may be any value until its snapshot is checked.
    if (ordinal > this.#ordinal) this.#ordinal = ordinal
    this.#ordinals.set(key, ordinal)
    this.#teams.set(key, team)
    return team
  }

  /** Returns the team of an API key; undefined for an unknown key. From now on no limit deletes it. */
  get(apiKey: string): Team | undefined {
    this.#autoTeams.delete(apiKey)
    return this.#teams.get(apiKey)
  }

  /**
   * Returns the team of an API key, and creates it if the key is unknown. Beyond the limit, the least recently used one of
   * these teams without a request in progress is deleted.
   */
  getOrCreate(apiKey: string): Team {
    const known = this.#teams.get(apiKey)
    if (known && !this.#autoTeams.delete(apiKey)) return known
    const team = known ?? this.add({ apiKey })
    this.#autoTeams.add(apiKey)
    this.#deleteUnused()
    return team
  }

  /** Lets the limit delete a team, like one that a request created. */
  release(apiKey: string): void {
    this.#autoTeams.add(apiKey)
  }

  /** Deletes a team. Returns whether a team had this API key. */
  delete(apiKey: string): boolean {
    const team = this.#teams.get(apiKey)
    if (!team) return false
    this.#teams.delete(apiKey)
    this.#ordinals.delete(apiKey)
    this.#autoTeams.delete(apiKey)
    if (team.isUsed) resetWorld(team.state)
    return true
  }

  /** Returns the teams in insertion order. */
  list(): Team[] {
    return [...this.#teams.values()]
  }

  /** Returns the state of the team with an API key; undefined for an unknown key. */
  worldOf(apiKey: string): TeamState | undefined {
    return this.#teams.get(apiKey)?.state
  }

  /** Returns the states of the teams that were used; the others have no records of their own. */
  worlds(): TeamState[] {
    return this.list().flatMap((team) => (team.isUsed ? [team.state] : []))
  }

  #settingsWith(changes: TeamOptions): Settings {
    const isDefault = Object.keys(changes).length === 0
    return isDefault ? { ...this.#settings } : mergeSettings(this.#settings, changes)
  }

  #checkKey(apiKey: string): void {
    checkOptions(teamKeySchema, { apiKey }, 'options')
    if (!this.#teams.has(apiKey)) return
    throw new MockError(
      'invalid_option',
      'Another team uses this apiKey. Pass a different one, or delete that team first.',
    )
  }

  #deleteUnused(): void {
    for (const apiKey of this.#autoTeams) {
      if (this.#autoTeams.size <= this.#facts.autoTeamLimit) return
      const team = this.#teams.get(apiKey)
      if (!team?.isUsed || !team.state.clock.isBusy) this.delete(apiKey)
    }
  }
}

function makeApiKey(seed: string): string {
  return `sk_mock_${new Random(`${seed}/key`).uuid().replaceAll('-', '')}`
}
