import type { OperationId } from '../src/contract/operations.ts'
import { isOfKind, kindsKey, kindsOf } from '../src/contract/values/kinds.ts'
import { summarizeMock } from './diagnostics/summary.ts'
import { MockError } from './errors.ts'
import type { ExchangeResult } from './faults/effects.ts'
import { toFetchResponse } from './faults/fetch-response.ts'
import { exchange, type ServiceParts } from './http/exchange.ts'
import { type Override, Overrides } from './http/overrides.ts'
import { type IncomingRequest, pathBelow, toIncomingRequest } from './http/request/request.ts'
import { Router, serviceRoutes } from './http/router.ts'
import { Random } from './reference-data/random.ts'
import { loadRoutes } from './routes/load-routes.ts'
import type { Reproduction } from './snapshot/reproduction.ts'
import { resetWorld } from './snapshot/restore.ts'
import { checkOptions } from './state/check-options.ts'
import {
  defaultSettings,
  type MockOptions,
  mockDefaults,
  type Settings,
  type TeamOptions,
} from './state/defaults.ts'
import type { TeamHooks } from './state/identity.ts'
import { checkFields } from './state/plain.ts'
import { mergeSettings, mockOptionsSchema, teamKeySchema } from './state/settings.ts'
import type { TeamState } from './state/team-state.ts'
import { Team, type TeamConnection } from './team.ts'

const mockOptionNames = [...Object.keys(mockDefaults), ...Object.keys(defaultSettings)]

const teamOptionNames = ['apiKey', ...Object.keys(defaultSettings)]

const router = new Router(serviceRoutes)

interface MockHooks extends TeamHooks {
  /** Adds a team's initial records. Called on the team's first use and after each reset. */
  prepare?: (state: TeamState) => void
}

/** An in-memory service with one or more teams. */
export class Mock {
  /** @internal */
  static readonly kind: string = 'Mock'
  /** The base URL that `connection()` returns. */
  readonly baseUrl: string
  /** Responds to a request as the service would. Use it in place of the platform's `fetch`. */
  readonly fetch: TeamConnection['fetch']
  /** The default team, whose client options {@link Mock.connection} returns. */
  readonly defaultTeam: Team
  readonly #seed: string
  readonly #settings: Settings
  readonly #teams = new Map<string, Team>()
  #highestOrdinal = 0
  readonly #autoTeamLimit: number
  /** The API keys of the teams that count towards `#autoTeamLimit`, least recently used first. */
  readonly #autoTeams = new Set<string>()
  #linkBase: string
  #hooks: MockHooks = {}
  #report = (error: unknown) => console.error(error)
  /** All teams share this object to save memory, because a mock may have thousands of teams. */
  readonly #shared = {
    linkBase: () => this.#linkBase,
    report: (error: unknown) => this.#report(error),
    hooks: () => this.#hooks,
  }
  readonly #prepare = (state: TeamState) => this.#hooks.prepare?.(state)
  readonly #overrides = new Overrides()
  readonly #service: ServiceParts = {
    router,
    loadRoutes,
    overrides: this.#overrides,
    worldOf: (apiKey) => (apiKey === undefined ? undefined : this.#teams.get(apiKey)?.state),
    // Unused teams have no records of their own.
    worlds: () => this.teams().flatMap((team) => (team.isUsed ? [team.state] : [])),
  }

  constructor({
    seed = mockDefaults.seed,
    baseUrl = mockDefaults.baseUrl,
    autoTeamLimit = mockDefaults.autoTeamLimit,
    ...options
  }: MockOptions) {
    checkFields(options, mockOptionNames, 'the options of a mock')
    checkOptions(mockOptionsSchema, { seed, baseUrl, autoTeamLimit }, 'options')
    this.baseUrl = baseUrl.replace(/\/+$/, '')
    this.#linkBase = this.baseUrl
    this.fetch = async (input, init) => toFetchResponse(await this.exchange(input, init))
    this.#seed = String(seed)
    this.#settings = mergeSettings(defaultSettings, options)
    this.#autoTeamLimit = autoTeamLimit
    this.defaultTeam = this.team()
  }

  /** Returns whether a value is a mock from any copy of the package. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return isOfKind(value, this)
  }

  /** @internal */
  get [kindsKey](): readonly string[] {
    return kindsOf(this)
  }

  /** Returns the client options for the default team. */
  connection(): TeamConnection {
    return this.defaultTeam.connection()
  }

  /**
   * Creates a team with its own API key, records, time and journal.
   *
   * @throws {MockError} `invalid_option` if the API key is in use or an option is unknown or invalid, or `invalid_time`
   * for an invalid time or time span.
   */
  team(options: TeamOptions = {}): Team {
    return this.#add(options)
  }

  /**
   * Deletes a team and its records. Its pending requests fail, and its API key becomes unknown.
   *
   * @returns Whether a team had this API key.
   * @throws {MockError} `invalid_option` for the default team.
   */
  deleteTeam(apiKey: string): boolean {
    if (apiKey === this.defaultTeam.apiKey) {
      throw new MockError(
        'invalid_option',
        'The default team cannot be deleted. Reset it with defaultTeam.reset().',
      )
    }
    return this.#delete(apiKey)
  }

  /**
   * Returns the team with the given API key. Creates the team if the key is unknown. If more teams than `autoTeamLimit`
   * were created this way, deletes the least recently used teams without a request in progress.
   *
   * @internal
   */
  getOrCreateTeam(apiKey: string): Team {
    const known = this.#teams.get(apiKey)
    if (known && !this.#autoTeams.delete(apiKey)) return known
    const team = known ?? this.#add({ apiKey })
    this.#autoTeams.add(apiKey)
    this.#deleteUnused()
    return team
  }

  /**
   * Creates teams from reproductions. `autoTeamLimit` applies to all except the default team.
   *
   * @internal
   */
  restoreTeams(teams: readonly Reproduction[]): void {
    for (const team of teams) {
      const { apiKey } = this.reproduce(team)
      if (apiKey !== this.defaultTeam.apiKey) this.#autoTeams.add(apiKey)
    }
  }

  /**
   * Sets the function that reports errors that no caller receives, such as a scheduled event's error in `realtime`
   * mode. Default: `console.error`.
   *
   * @internal
   */
  reportTo(report: (error: unknown) => void): void {
    this.#report = report
  }

  /**
   * Sets the given hooks and leaves the others unchanged.
   *
   * @internal
   */
  setHooks(hooks: MockHooks): void {
    this.#hooks = { ...this.#hooks, ...hooks }
  }

  /**
   * Sets the base URL of the links in responses and events, unless the user set a `baseUrl`, such as the URL of a
   * proxy.
   *
   * @internal
   */
  linkTo(url: string): void {
    if (this.baseUrl === mockDefaults.baseUrl) this.#linkBase = url
  }

  /** Returns the teams, starting with the default team. */
  teams(): Team[] {
    return [...this.#teams.values()]
  }

  /**
   * Returns the team with the given API key, or undefined if the key is unknown. After this call, `autoTeamLimit` no
   * longer applies to the team.
   */
  teamOf(apiKey: string): Team | undefined {
    this.#autoTeams.delete(apiKey)
    return this.#teams.get(apiKey)
  }

  /**
   * Rewrites an operation's successful responses for every team, as {@link Team.override} does for one team.
   *
   * @param operation The operation's id, such as `orders.create`.
   * @returns A function that removes the override.
   * @throws {MockError} `unknown_operation` if no operation has this id.
   */
  override<Id extends OperationId>(operation: Id, override: Override<Id>): () => void {
    return this.#overrides.add(operation, override)
  }

  /**
   * Creates a team from a {@link Team.reproduction}. Its API key must be unused or the default team's key.
   *
   * @throws {MockError} `invalid_snapshot`, `invalid_option`, `invalid_time` or `unknown_operation` if a part is invalid.
   * In that case, no team is created.
   */
  reproduce({ apiKey, settings, faults, latestFault, snapshot }: Reproduction): Team {
    const isDefault = apiKey === this.defaultTeam.apiKey
    const team = isDefault
      ? this.defaultTeam
      : this.#add({ apiKey, ...settings }, Object(snapshot).ordinal)
    const { state: world } = team
    const { settings: oldSettings } = world
    const oldFaults = [world.faults.snapshot(), world.faults.latest] as const
    try {
      // Copy the options that `configure` rejects.
      const { now, clock, timeZone } = mergeSettings(oldSettings, settings)
      world.settings = Object.freeze({ ...oldSettings, now, clock, timeZone })
      team.configure(settings)
      world.faults.restore(faults, latestFault)
      team.restore(snapshot)
    } catch (error) {
      world.settings = oldSettings
      world.faults.restore(...oldFaults)
      if (!isDefault) this.deleteTeam(apiKey)
      throw error
    }
    return team
  }

  /** Handles a request to a URL below `baseUrl`, for `fetch` and the adapters. */
  async exchange(
    input: Request | string | URL,
    init?: RequestInit,
    baseUrl = this.baseUrl,
  ): Promise<ExchangeResult> {
    return this.handle(toIncomingRequest(input, init), baseUrl)
  }

  /**
   * Handles a request that an adapter parsed itself.
   *
   * @internal
   */
  handle(request: IncomingRequest, baseUrl: string): ExchangeResult | Promise<ExchangeResult> {
    return exchange(request, pathBelow(baseUrl, request.path), this.#service)
  }

  /**
   * Returns the HTTP methods that a path below the base URL supports.
   *
   * @internal
   */
  methodsAt(path: string): string[] {
    return router.methods(path)
  }

  /** @internal */
  mayChange(method: string, path: string): boolean {
    if (method === 'GET') return false
    return router.match(method, path, '')?.route.endpoint.effect !== 'read-only'
  }

  /** Called by `console.log` and `util.inspect` on Node, Bun and Deno. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return summarizeMock(this.baseUrl, this.teams())
  }

  /** Adds a team with the requested number. If it is omitted or taken, uses the highest number so far plus one. */
  #add({ apiKey, ...changes }: TeamOptions, wanted?: number): Team {
    const isFree = wanted !== undefined && this.teams().every(({ ordinal }) => ordinal !== wanted)
    const ordinal = isFree ? wanted : this.#highestOrdinal + 1
    const numbered = `${this.#seed}/team/${ordinal}`
    const ownKey = makeApiKey(numbered)
    const key = apiKey ?? ownKey
    checkFields(changes, teamOptionNames, 'the options of a team')
    this.#checkKey(key)
    const settings = this.#settingsWith(changes)
    const team = new Team({
      identity: {
        ordinal,
        // The seed of a team with an explicit key must not depend on how many teams were created before it.
        seed: key === ownKey ? numbered : `${this.#seed}/team/${key}`,
        ...this.#shared,
      },
      settings,
      connection: { apiKey: key, baseUrl: this.baseUrl, fetch: this.fetch, exposeDetail: true },
      seed: this.#seed,
      prepare: this.#prepare,
    })
    // Start the team's clock now, not on its first use.
    if (settings.clock === 'realtime') team.state.catchUp()
    // Do not use `Math.max`: a reproduction's ordinal may be any value until its snapshot is checked.
    if (ordinal > this.#highestOrdinal) this.#highestOrdinal = ordinal
    this.#teams.set(key, team)
    return team
  }

  #settingsWith(changes: TeamOptions): Settings {
    const isDefault = Object.keys(changes).length === 0
    return isDefault ? this.#settings : mergeSettings(this.#settings, changes)
  }

  #checkKey(apiKey: string): void {
    checkOptions(teamKeySchema, { apiKey }, 'options')
    if (!this.#teams.has(apiKey)) return
    throw new MockError(
      'invalid_option',
      'Another team uses this apiKey. Pass a different one, or delete that team first.',
    )
  }

  #delete(apiKey: string): boolean {
    const team = this.#teams.get(apiKey)
    if (!team) return false
    this.#teams.delete(apiKey)
    this.#autoTeams.delete(apiKey)
    if (team.isUsed) resetWorld(team.state)
    return true
  }

  #deleteUnused(): void {
    for (const apiKey of this.#autoTeams) {
      if (this.#autoTeams.size <= this.#autoTeamLimit) return
      if (!this.#teams.get(apiKey)?.isBusy) this.#delete(apiKey)
    }
  }
}

function makeApiKey(seed: string): string {
  return `sk_mock_${new Random(`${seed}/key`).uuid().replaceAll('-', '')}`
}
