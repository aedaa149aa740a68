import {
  defaults,
  type MockOptions,
  mockDefaults,
  type Settings,
  type TeamOptions,
} from './defaults.ts'
import { type Exchange, responseOf } from './effects.ts'
import { MockError } from './errors.ts'
import { exchange, type Service } from './exchange.ts'
import type { OperationId } from './operations.ts'
import { type Override, Overrides } from './overrides.ts'
import { Random } from './random.ts'
import { type Incoming, incoming } from './request.ts'
import { Router } from './router.ts'
import { routes } from './routes.ts'
import { type Reproduction, settingsOf, Team, type TeamConnection } from './team.ts'
import { World } from './world.ts'

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
  readonly #worlds = new Map<string, World>()
  readonly #overrides = new Overrides()
  readonly #service: Service = {
    router,
    overrides: this.#overrides,
    worldOf: (apiKey) => (apiKey === undefined ? undefined : this.#worlds.get(apiKey)),
    worldAt: (ordinal) => [...this.#worlds.values()][ordinal - 1],
  }

  constructor({ seed, baseUrl, ...options }: MockOptions) {
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
   * Creates a team: its own key, records, time and journal.
   *
   * @throws {MockError} `invalid_option` when there is a team of this key.
   */
  team(options: TeamOptions = {}): Team {
    const ordinal = this.#teams.size + 1
    // With a key of its own a team does not depend on how many were created before it.
    const seed = `${this.#seed}/team/${options.apiKey ?? ordinal}`
    const apiKey = options.apiKey ?? keyOf(seed)
    if (this.#teams.has(apiKey)) {
      throw new MockError('invalid_option', 'Expected an apiKey that no other team has.')
    }
    const settings = settingsOf(this.#settings, options)
    const world = new World({ ordinal, seed, baseUrl: this.baseUrl }, settings)
    const connection = { apiKey, baseUrl: this.baseUrl, fetch: this.fetch }
    const team = new Team(world, connection, this.#seed)
    this.#teams.set(apiKey, team)
    this.#worlds.set(apiKey, world)
    return team
  }

  /** The teams, the default one first. */
  teams(): Team[] {
    return [...this.#teams.values()]
  }

  /** The team of an API key; undefined when there is none. */
  teamOf(apiKey: string): Team | undefined {
    return this.#teams.get(apiKey)
  }

  /** Rewrites the answers of an operation for every team, as {@link Team.override} does for one. */
  override<Id extends OperationId>(operation: Id, override: Override<Id>): () => void {
    return this.#overrides.add(operation, override)
  }

  /** Creates the team that a line of {@link Team.reproduction} tells of; its key must be free, or the default team's. */
  reproduce({ apiKey, settings, faults, snapshot }: Reproduction): Team {
    const team =
      apiKey === this.defaultTeam.apiKey ? this.defaultTeam : this.team({ apiKey, ...settings })
    team.configure(settings)
    team.restore(snapshot)
    // Both were made with the team, under the same key.
    this.#worlds.get(apiKey)?.faults.restore(faults)
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

/** The path of a base URL as the URLs of requests spell it. */
function basePathOf(baseUrl: string): string {
  const path = baseUrl.replace(/^\w+:\/\/[^/]*|\/+$/g, '')
  return /^[\w/.~-]*$/.test(path) || !URL.canParse(baseUrl)
    ? path
    : new URL(baseUrl).pathname.replace(/\/+$/, '')
}
