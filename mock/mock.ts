import { present } from '../src/contract/narrow.ts'
import type { OperationId } from '../src/contract/operations.ts'
import { isOfKind, kindsKey, kindsOf } from '../src/contract/values/kinds.ts'
import { pathBelow } from './base/base-path.ts'
import { summarizeMock } from './diagnostics/summary.ts'
import { MockError } from './errors.ts'
import type { ExchangeResult } from './faults/effects.ts'
import { toFetchResponse } from './faults/fetch-response.ts'
import { exchange, type ServiceParts } from './http/exchange.ts'
import { type Override, Overrides } from './http/overrides.ts'
import { type IncomingRequest, toIncomingRequest } from './http/request.ts'
import { Router, serviceRoutes } from './http/router.ts'
import { loadRoutes } from './load-routes.ts'
import type { Reproduction } from './snapshot/reproduction.ts'
import { checkOptions } from './state/check-options.ts'
import {
  defaultSettings,
  type MockOptions,
  mockDefaults,
  type TeamOptions,
} from './state/defaults.ts'
import { checkFields } from './state/plain.ts'
import { mockOptionsSchema } from './state/settings.ts'
import type { Team, TeamConnection } from './team.ts'
import { type MockHooks, TeamRegistry } from './team-registry.ts'

const mockOptionNames = [...Object.keys(mockDefaults), ...Object.keys(defaultSettings)]

const router = new Router(serviceRoutes)

/** The service in memory, with one or more teams. */
export class Mock {
  /** @internal */
  static readonly kind: string = 'Mock'
  /** The base URL that `connection()` returns; requests may use any origin. */
  readonly baseUrl: string
  /** Responds to a request like the service; replaces the platform's `fetch`. */
  readonly fetch: TeamConnection['fetch']
  /** The team of {@link Mock.connection}. */
  readonly defaultTeam: Team
  readonly #teams: TeamRegistry
  #linkBase: string
  #hooks: MockHooks = {}
  #report = (error: unknown) => console.error(error)
  readonly #overrides = new Overrides()
  readonly #service: ServiceParts = {
    router,
    loadRoutes,
    overrides: this.#overrides,
    worldOf: (apiKey) => (apiKey === undefined ? undefined : this.#teams.worldOf(apiKey)),
    worlds: () => this.#teams.worlds(),
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
    const facts = {
      seed: String(seed),
      baseUrl: this.baseUrl,
      fetch: this.fetch,
      autoTeamLimit,
      linkBase: () => this.#linkBase,
      report: (error: unknown) => this.#report(error),
      hooks: () => this.#hooks,
    }
    this.#teams = new TeamRegistry(facts, options)
    this.defaultTeam = this.team()
  }

  /** Returns whether a value is a mock of any copy of the package. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return isOfKind(value, this)
  }

  /** @internal */
  get [kindsKey](): readonly string[] {
    return kindsOf(this)
  }

  /** Returns the options of a client of the default team. */
  connection(): TeamConnection {
    return this.defaultTeam.connection()
  }

  /**
   * Creates a team with its own API key, records, time and journal.
   *
   * @throws {MockError} `invalid_option` if the API key is in use, or an option is unknown or invalid; `invalid_time` for
   * an invalid moment or time span.
   */
  team(options: TeamOptions = {}): Team {
    return this.#teams.add(options)
  }

  /**
   * Deletes a team with its records. Requests that wait fail, and later requests with its API key get 401.
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
    return this.#teams.delete(apiKey)
  }

  /**
   * Returns the team of an API key, and creates it if the key is unknown. Beyond the limit, the least recently used one of
   * these teams without a request in progress is deleted.
   *
   * @internal
   */
  getOrCreateTeam(apiKey: string): Team {
    return this.#teams.getOrCreate(apiKey)
  }

  /**
   * Creates the teams of reproductions. As they were created by requests, the limit can delete them.
   *
   * @internal
   */
  restoreTeams(teams: readonly Reproduction[]): void {
    for (const team of teams) {
      const { apiKey } = this.reproduce(team)
      if (apiKey !== this.defaultTeam.apiKey) this.#teams.release(apiKey)
    }
  }

  /**
   * Sets the function that reports errors that no caller receives, such as that of a due event in the mode `realtime`.
   * Default: `console.error`.
   *
   * @internal
   */
  reportTo(report: (error: unknown) => void): void {
    this.#report = report
  }

  /**
   * Sets what happens at changes of teams, and how teams start from now on.
   *
   * @internal
   */
  setHooks(hooks: MockHooks): void {
    this.#hooks = { ...this.#hooks, ...hooks }
  }

  /**
   * Sets the base URL of the links in responses and events. A `baseUrl` that the user chose stays: it may be that of a
   * proxy.
   *
   * @internal
   */
  linkTo(url: string): void {
    if (this.baseUrl === mockDefaults.baseUrl) this.#linkBase = url
  }

  /** Returns the teams, the default one first. */
  teams(): Team[] {
    return this.#teams.list()
  }

  /** Returns the team of an API key; undefined for an unknown key. From now on no limit deletes it. */
  teamOf(apiKey: string): Team | undefined {
    return this.#teams.get(apiKey)
  }

  /**
   * Rewrites the successful responses of an operation for every team, like {@link Team.override} for one team.
   *
   * @param operation The id of the operation, such as `orders.create`.
   * @returns A function that removes the override.
   * @throws {MockError} `unknown_operation` if no operation has this id.
   */
  override<Id extends OperationId>(operation: Id, override: Override<Id>): () => void {
    return this.#overrides.add(operation, override)
  }

  /**
   * Creates the team of a {@link Team.reproduction}. Its API key must be unused, or that of the default team.
   *
   * @throws {MockError} `invalid_snapshot` or `invalid_option` if a part is invalid; then no team is created.
   */
  reproduce({ apiKey, settings, faults, latestFault, snapshot }: Reproduction): Team {
    const isDefault = apiKey === this.defaultTeam.apiKey
    const team = isDefault
      ? this.defaultTeam
      : this.#teams.add({ apiKey, ...settings }, Object(snapshot).ordinal)
    // The team was created with a world under the same key.
    const world = present(this.#teams.worldOf(apiKey))
    const { settings: oldSettings } = world
    const oldFaults = [world.faults.snapshot(), world.faults.latest] as const
    try {
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

  /** Handles a request to a base URL, for adapters. */
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
   * Returns the HTTP methods of a path below the base URL.
   *
   * @internal
   */
  methodsAt(path: string): string[] {
    return router.methods(path)
  }

  /** Returns what `console.log` and `util.inspect` print on Node, Bun and Deno. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return summarizeMock(this.baseUrl, this.teams())
  }
}
