import { Exploration } from './exploration.ts'
import { type ExploreOptions, resolveOptions } from './options.ts'
import { parseReplay } from './plan/replay-line.ts'
import type { ExploreReport } from './report/report.ts'

/** Searches for bugs in your program, and replays what it found. */
export interface Explore {
  /**
   * Runs your program once without faults, and then again and again, each time with a new team and other faults, from the
   * most likely to the rarest ones. Ends when every plan is done or the budget is used up.
   *
   * @returns What was tested.
   * @throws {ExploreError} For the first run that fails, with the fewest faults and the line that replays it.
   * @throws {MockError} `invalid_option` for an unknown option or an invalid value.
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
  <Context extends object = {}>(options: ExploreOptions<Context>): Promise<ExploreReport>
  /**
   * Repeats the run of a line, with the same options.
   *
   * @param line The line in the message of an {@link ExploreError}. Its seed replaces that of the options.
   * @throws {ExploreError} When the run fails again.
   * @throws {MockError} `invalid_option` for an invalid line or option.
   * @example
   * await explore.replay('v1 1 request:link.listProviders#1=lose_response', {
   *   scenario: ({ connection }) => new ServiceClient(connection).link.listProviders(),
   * })
   */
  replay<Context extends object = {}>(
    line: string,
    options: ExploreOptions<Context>,
  ): Promise<ExploreReport>
}

/** See {@link Explore}. */
export const explore: Explore = /* @__PURE__ */ Object.assign(
  async <Context extends object>(options: ExploreOptions<Context>) =>
    new Exploration(resolveOptions(options)).search(),
  {
    replay: async <Context extends object>(line: string, options: ExploreOptions<Context>) => {
      const { seed, plan } = parseReplay(line)
      return new Exploration(resolveOptions({ ...options, seed })).replay(plan)
    },
  },
)
