import { Random } from './base/random.ts'
import { MockError } from './errors.ts'
import { type Exchange, responseOf } from './faults/effects.ts'
import { exchange, type Service } from './http/exchange.ts'
import type { OperationId } from './http/operations.ts'
import { type Override, Overrides } from './http/overrides.ts'
import { type Incoming, incoming } from './http/request.ts'
import { Router } from './http/router.ts'
import { routes } from './routes/routes.ts'
import { resetWorld } from './snapshot/restore.ts'
import {
  defaults,
  type MockOptions,
  mockDefaults,
  type Settings,
  type TeamOptions,
} from './state/defaults.ts'
import { settingsOf } from './state/settings.ts'
import { type Reproduction, Team, type TeamConnection } from './team.ts'
import { TeamState } from './team-state.ts'

const router = new Router(routes)

/** The service in memory. */
export class Mock {
  /** What connections name as the service's base URL; requests may come to any origin. */
  readonly baseUrl: string
  /** Answers a request as the service would; it takes the place of the platform's `fetch`. */
  readonly fetch: TeamConnection['fetch']
  /** The team of {@link Mock.connection}. */
  readonly defaultTeam: Team
  readonly #seed: string
  readonly #settings: Settings
  readonly #teams = new Map<string, Team>()
  readonly #worlds = new Map<string, TeamState>()
  /** The keys of teams that requests made, the least recently used first. */
  readonly #visitors = new Set<string>()
  readonly #visitorLimit: number
  /** The number of the latest team. */
  #ordinal = 0
  #report = (error: unknown) => console.error(error)
  readonly #overrides = new Overrides()
  readonly #service: Service = {
    router,
    overrides: this.#overrides,
    worldOf: (apiKey) => (apiKey === undefined ? undefined : this.#worlds.get(apiKey)),
    worlds: () => this.#worlds.values(),
  }

  constructor({ seed, baseUrl, visitorLimit, ...options }: MockOptions) {
    this.#visitorLimit = checkLimit(visitorLimit ?? mockDefaults.visitorLimit)
    this.#seed = String(seed ?? mockDefaults.seed)
    this.baseUrl = (baseUrl ?? mockDefaults.baseUrl).replace(/\/+$/, '')
    this.#settings = settingsOf(defaults, options)
    this.fetch = async (input, init) => responseOf(await this.exchange(input, init))
    this.defaultTeam = this.team()
  }

  /** The options of a client of the default team. */
  connection(): TeamConnection {
    return this.defaultTeam.connection()
  }

  /**
   * Creates a team: its own key, records, time and journal. It stays until {@link Mock.deleteTeam}.
   *
   * @throws {MockError} `invalid_option` when there is a team of this key.
   */
  team(options: TeamOptions = {}): Team {
    return this.#add(options, this.#ordinal + 1)
  }

  /**
   * Deletes a team with all that it has; requests that wait fail, and its API key is unknown from then on.
   *
   * @returns Whether there was a team of this key.
   * @throws {MockError} `invalid_option` for the default team, which every mock has.
   */
  deleteTeam(apiKey: string): boolean {
    if (apiKey === this.defaultTeam.apiKey) {
      throw new MockError('invalid_option', 'The default team stays: use defaultTeam.reset().')
    }
    const world = this.#worlds.get(apiKey)
    if (!world) return false
    this.#teams.delete(apiKey)
    this.#worlds.delete(apiKey)
    this.#visitors.delete(apiKey)
    resetWorld(world)
    return true
  }

  /**
   * The team of an API key, which is created if there is none. Beyond the limit the least recently used one of these
   * teams is deleted that has no request under way.
   *
   * @internal
   */
  visit(apiKey: string): Team {
    const known = this.#teams.get(apiKey)
    if (known && !this.#visitors.delete(apiKey)) return known
    const team = known ?? this.#add({ apiKey }, this.#ordinal + 1)
    this.#visitors.add(apiKey)
    this.#deleteUnused()
    return team
  }

  /**
   * Takes errors that nobody waits for, such as that of a due event on a clock in real time. Default: `console.error`.
   *
   * @internal
   */
  reportTo(report: (error: unknown) => void): void {
    this.#report = report
  }

  #deleteUnused(): void {
    for (const apiKey of this.#visitors) {
      if (this.#visitors.size <= this.#visitorLimit) return
      if (!this.#worlds.get(apiKey)?.clock.isBusy) this.deleteTeam(apiKey)
    }
  }

  #add(options: TeamOptions, ordinal: number): Team {
    const numbered = `${this.#seed}/team/${ordinal}`
    const apiKey = options.apiKey ?? keyOf(numbered)
    // With a key of its own a team does not depend on how many were created before it.
    const seed = apiKey === keyOf(numbered) ? numbered : `${this.#seed}/team/${apiKey}`
    if (this.#teams.has(apiKey)) {
      throw new MockError('invalid_option', 'Expected an apiKey that no other team has.')
    }
    const settings = settingsOf(this.#settings, options)
    const { baseUrl } = this
    const report = (error: unknown) => this.#report(error)
    const world = new TeamState({ ordinal, seed, baseUrl, report }, settings)
    const connection = { apiKey, baseUrl: this.baseUrl, fetch: this.fetch }
    const team = new Team(world, connection, this.#seed)
    // That of a reproduction may be anything, until its snapshot is checked.
    if (ordinal > this.#ordinal) this.#ordinal = ordinal
    this.#teams.set(apiKey, team)
    this.#worlds.set(apiKey, world)
    return team
  }

  /** The teams, the default one first. */
  teams(): Team[] {
    return [...this.#teams.values()]
  }

  /** The team of an API key; undefined when there is none. From now on no limit deletes it. */
  teamOf(apiKey: string): Team | undefined {
    this.#visitors.delete(apiKey)
    return this.#teams.get(apiKey)
  }

  /** Rewrites the answers of an operation for every team, as {@link Team.override} does for one. */
  override<Id extends OperationId>(operation: Id, override: Override<Id>): () => void {
    return this.#overrides.add(operation, override)
  }

  /**
   * Creates the team that a line of {@link Team.reproduction} describes; its key must be free, or the default team's.
   *
   * @throws {MockError} `foreign_snapshot` or `invalid_option` when a part of it is invalid; no team is created then.
   */
  reproduce({ apiKey, settings, faults, snapshot }: Reproduction): Team {
    const isDefault = apiKey === this.defaultTeam.apiKey
    const team = isDefault
      ? this.defaultTeam
      : this.#add({ apiKey, ...settings }, Object(snapshot).ordinal)
    // It was made with the team, under the same key.
    const world = this.#worlds.get(apiKey) as TeamState
    const before = { settings: world.settings, faults: world.faults.snapshot() }
    try {
      team.configure(settings)
      world.faults.restore(faults)
      team.restore(snapshot)
    } catch (error) {
      world.settings = before.settings
      world.faults.restore(before.faults)
      if (!isDefault) this.deleteTeam(apiKey)
      throw error
    }
    return team
  }

  /** What an adapter sends back for a request that came to a base URL. */
  exchange(
    input: Request | string | URL,
    init?: RequestInit,
    baseUrl = this.baseUrl,
  ): Promise<Exchange> {
    return this.answer(incoming(input, init), baseUrl)
  }

  /**
   * What an adapter sends back for a request that it took apart itself.
   *
   * @internal
   */
  answer(request: Incoming, baseUrl: string): Promise<Exchange> {
    return exchange(request, pathBelow(baseUrl, request.path), this.#service)
  }

  /**
   * The methods that a path below the base URL can be asked with.
   *
   * @internal
   */
  methodsAt(path: string): string[] {
    return router.methods(path)
  }
}

function keyOf(seed: string): string {
  return `sk_mock_${new Random(`${seed}/key`).uuid().replaceAll('-', '')}`
}

/** The path of a request without that of the base URL. */
function pathBelow(baseUrl: string, path: string): string {
  const base = basePathOf(baseUrl)
  return base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length) : path
}

function checkLimit(limit: number): number {
  if (Number.isSafeInteger(limit) && limit >= 1) return limit
  throw new MockError(
    'invalid_option',
    `Expected visitorLimit to be a whole number from 1, but got ${String(limit)}.`,
  )
}

/** The path of a base URL as the URLs of requests spell it. */
function basePathOf(baseUrl: string): string {
  const path = baseUrl.replace(/^\w+:\/\/[^/]*|\/+$/g, '')
  return /^[\w/.~-]*$/.test(path) || !URL.canParse(baseUrl)
    ? path
    : new URL(baseUrl).pathname.replace(/\/+$/, '')
}
