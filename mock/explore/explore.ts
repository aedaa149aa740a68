import { Exploration } from './exploration.ts'
import { TesterPool } from './hosts/pool.ts'
import {
  type ExploreModuleOptions,
  type ExploreOptions,
  resolveModule,
  resolveOptions,
} from './options.ts'
import { parseReplay } from './plan/replay-line.ts'
import type { ExploreReport } from './report/report.ts'
import { Tester } from './tester.ts'

/** Searches for bugs in your program, and replays failures. */
export interface Explore {
  /**
   * Runs your program without faults, then repeatedly with different faults, likely ones first. Each run uses a new
   * team. Stops when every planned run is done or the budget is used up.
   *
   * @returns A report on what was tested.
   * @throws {ExploreError} when a run fails. The error contains the smallest set of faults that causes the failure, and
   *   the line that replays the run.
   * @throws {MockError} `invalid_option` for an invalid option, `invalid_state` if `setup` or a module takes too long.
   * @example
   * await explore({
   *   setup: ({ connection }) => ({ client: new ServiceClient(connection), slugs: new Set<string>() }),
   *   scenario: async ({ client, slugs }) => {
   *     for (const { slug } of await client.link.listProviders()) slugs.add(slug)
   *   },
   *   check: ({ slugs, team }) => {
   *     if (slugs.size > 0 && slugs.size < team.providers.size) throw new Error('Providers are missing')
   *   },
   *   budget: { runs: 20 },
   * })
   */
  <Context extends object = {}>(
    options: ExploreOptions<Context> | ExploreModuleOptions,
  ): Promise<ExploreReport>
  /**
   * Replays a failed run, with the same options.
   *
   * @param line The `replay` line of an {@link ExploreError}. The line's seed replaces the seed in the options.
   * @param options The options of the run that found the failure.
   * @throws {ExploreError} when the run fails again.
   * @throws {MockError} `invalid_option` for an invalid line or option.
   * @example
   * await explore.replay('v1 1 request:link.listProviders#1=lose_response', {
   *   scenario: ({ connection }) => new ServiceClient(connection).link.listProviders(),
   * })
   */
  replay<Context extends object = {}>(
    line: string,
    options: ExploreOptions<Context> | ExploreModuleOptions,
  ): Promise<ExploreReport>
}

/** See {@link Explore}. */
export const explore: Explore = /* @__PURE__ */ Object.assign(
  <Context extends object>(options: ExploreOptions<Context> | ExploreModuleOptions) =>
    withExploration(options, (exploration) => exploration.search()),
  {
    replay: async <Context extends object>(
      line: string,
      options: ExploreOptions<Context> | ExploreModuleOptions,
    ) => {
      const { seed, plan } = parseReplay(line)
      const one = 'module' in options ? { workers: 1 } : {}
      const settings = { ...options, ...one, seed }
      return withExploration(settings, (exploration) => exploration.replay(plan))
    },
  },
)

async function withExploration<Context extends object>(
  options: ExploreOptions<Context> | ExploreModuleOptions,
  explore: (exploration: Exploration) => Promise<ExploreReport>,
): Promise<ExploreReport> {
  if (!('module' in options)) {
    const settings = resolveOptions(options)
    return explore(new Exploration(settings, new Tester(settings)))
  }
  const { load, workers, runTimeout, print } = resolveModule(options)
  const pool = new TesterPool(workers, load, runTimeout)
  try {
    return await explore(new Exploration({ ...(await pool.load()), print }, pool))
  } finally {
    pool.stop()
  }
}
