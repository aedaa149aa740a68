import * as z from 'zod/mini'
import { keysOf, tableOf } from '../../src/shared/narrow.ts'
import { checkOptions } from '../state/check-options.ts'
import { type TimeSpan, timeSpanSchema } from '../state/clock/time.ts'
import type { MockOptions } from '../state/defaults.ts'
import { checkFields, invalidOption } from '../state/plain.ts'
import { positiveSchema } from '../state/records/schemas.ts'
import type { Team, TeamConnection } from '../team.ts'
import { type HostKind, hostKinds, processors, urlOf } from './hosts/host.ts'
import type { Isolation, LoadedOptions } from './hosts/messages.ts'
import {
  creations,
  type InvariantName,
  type Invariants,
  invariantNames,
} from './invariants/names.ts'
import { environmentNames } from './plan/fault-names.ts'

/** The tools for a run. `scenario`, `restart` and `check` receive them together with your context's fields. */
export interface ExploreTools {
  /** The client options: `new ServiceClient(connection)`. With `serve`, any HTTP client can call the `baseUrl`. */
  connection: Omit<TeamConnection, 'clock'> & Partial<Pick<TeamConnection, 'clock'>>
  /** The run's team. */
  team: Team
  /** Aborts when the program crashes or the run ends, except in isolated functions. Use it to stop child processes. */
  signal: AbortSignal
  /**
   * Wraps a store, such as a database pool, in a handle that a crash revokes. The crashed program cannot use it and
   * never receives pending results. If a context field is an instance of a class with a method such as `end` or `close`,
   * it is fenced automatically.
   */
  fence: <Store extends object>(store: Store) => Store
}

/** A run's context, as passed to your functions. */
export type ExploreContext<Context> = Context & ExploreTools

/**
 * A record that your program has stored: its id, or an object with its id and the fields to compare with the service's
 * record.
 */
export type StoredRecord = string | StoredFields

/** A record that your program has stored, with fields to compare. */
export interface StoredFields extends Record<string, unknown> {
  /** The record's id. */
  id: string
}

/**
 * The records that your program has stored. `explore` compares the given lists with the service's records, in both
 * directions. The lists may omit records created in `setup`.
 */
export interface StoredRecords {
  /** The orders. Cancelled orders may be omitted, or listed with their `status`. */
  orders?: readonly StoredRecord[]
  /** The appointments. Cancelled appointments may be omitted, or listed with their `status`. */
  appointments?: readonly StoredRecord[]
  /** The insurance records, identified by `member_id`. */
  insurances?: readonly StoredRecord[]
  /** The connections, identified by user and provider, such as `<user_id>/oura`. */
  connections?: readonly StoredRecord[]
  /** The acknowledged events that took effect, identified by `webhook-id`. */
  events?: readonly string[]
}

/** A value that `check` may return. */
export interface CheckResult {
  /** The records that your program has stored. */
  stored?: StoredRecords
}

/**
 * The limit on a search: seconds of real time, a number of runs, or both. Runs that confirm a failure can exceed it.
 */
export interface ExploreBudget {
  /** Seconds of real time after which no further faults are tried. Default: no limit. */
  seconds?: number
  /** The number of runs after which no further faults are tried. Default: no limit. */
  runs?: number
}

/** A function that serves a mock: pass `serve` from `health-lab-sdk/mock/server`. */
export type ServeFunction = (
  // A mock of this package. The type `never` accepts a function for any type of mock.
  mock: never,
  options: { gracePeriod: number },
) => Promise<ServedMock>

/** A mock served by a {@link ServeFunction}. */
export interface ServedMock {
  /** The base URL. */
  readonly url: string
  /** Stops the server. */
  close(): Promise<void>
}

/** Options for {@link explore}. */
export interface ExploreOptions<Context extends object> {
  /**
   * Sets up your program for a run: clients, stores and webhooks. No faults occur during setup. Default: an empty
   * context.
   */
  setup?: (tools: ExploreTools) => Context | Promise<Context>
  /** Runs your program. In most runs with faults, the returned promise may reject. */
  scenario: (context: ExploreContext<Context>) => unknown
  /** Restarts your program after a crash, with the same team and context. If omitted, crashes are not tested. */
  restart?: (context: ExploreContext<Context>) => unknown
  /** Checks a run's result once nothing is pending. It must throw if the result is wrong. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most checks return nothing
  check?: (context: ExploreContext<Context>) => CheckResult | void | Promise<CheckResult | void>
  /** How long to search. Default: 4 seconds, below the default test timeout of Vitest and Jest. */
  budget?: ExploreBudget
  /** Whether to continue after a failure, and report one failure per cause. Default: false. */
  all?: boolean
  /** The seed for the mock and for the order of equally likely runs. Default: 1. */
  seed?: number | string
  /** Other options for each run's mock, such as `now`. Default: none. */
  mock?: Omit<MockOptions, 'seed' | 'baseUrl'>
  /**
   * Built-in rules to switch off, such as `{ lateCalls: false }` or, for one operation,
   * `{ doubled: { 'link.bulkImport': false } }`. Default: all are on.
   */
  invariants?: Invariants
  /**
   * Unusual but valid service behaviours, keyed by their names in reports: `{ small_pages: false }` switches one off,
   * and `false` switches all of them off. Default: all are on.
   */
  environment?: boolean | Readonly<Record<string, boolean>>
  /** The virtual time within which the scenario must send its last request. Default: no limit. */
  deadline?: TimeSpan
  /** The time limit for a run, in milliseconds of real time, at most 100,000,000. Default: 10,000. */
  runTimeout?: number
  /**
   * The number of requests and waits after which a program is considered stuck in a loop. Default: 5,000 without
   * faults; with faults, 20 times the number in the run without faults, but at least 2,000.
   */
  actionLimit?: number
  /** Serves the mock over HTTP, for other clients and processes. Default: only `connection.fetch` reaches the mock. */
  serve?: ServeFunction
  /** Prints the progress and the coverage, line by line. Default: `console.log`. */
  print?: (line: string) => void
}

/** Options for {@link explore} to load the program from a module and run it in threads. */
export interface ExploreModuleOptions
  extends Pick<ExploreOptions<object>, (typeof moduleOptionNames)[number] | 'print'> {
  /**
   * The program's module. Its default export contains the options for `explore`. Options passed here override them. A
   * path is relative to the working directory.
   */
  module: string | URL
  /** The number of concurrent runs. Default: the number of processors. */
  workers?: number
  /**
   * Runs `scenario` and `restart` in their own thread or process, which a simulated crash terminates. They receive the
   * `connection` and the context's plain values, but no `team`. Default: they run in the thread that tests them.
   */
  isolate?: HostKind
}

/** The names of the options that can override a module's options. */
const moduleOptionNames = [
  'budget',
  'all',
  'seed',
  'invariants',
  'environment',
  'deadline',
  'runTimeout',
  'actionLimit',
  'mock',
] as const

export interface SearchSettings {
  budget: ExploreBudget
  seed: string
  all?: boolean
}

export interface JudgeSettings {
  runTimeout: number
  deadline?: TimeSpan
  invariants: Record<InvariantName, boolean>
  allowsDouble: (kind: string) => boolean
}

export interface ExploreSettings<Context extends object>
  extends SearchSettings,
    JudgeSettings,
    Omit<ExploreOptions<Context>, keyof SearchSettings | keyof JudgeSettings> {
  allowsEnvironment: (name: string) => boolean
  print: (line: string) => void
  /** Where the program runs, if not in the thread that tests it. */
  isolated?: Isolation
}

const defaultSeconds = 4

/** Milliseconds of real time. */
const defaultRunTimeout = 10_000

/**
 * The maximum time limit for a run, in milliseconds. Loading a module may take ten times as long. That time must be
 * less than 2^31 ms, because longer timers fire immediately.
 */
const longestRunTimeout = 100_000_000

const leastSeconds = 0.001

const flags = (names: readonly string[]) => tableOf(names, () => z.boolean())

const plainSchema = z.object({
  budget: z.optional(
    z.strictObject({
      seconds: z.optional(z.number().check(z.gte(leastSeconds))),
      runs: z.optional(positiveSchema),
    }),
  ),
  all: z.optional(z.boolean()),
  seed: z.optional(z.union([z.string(), z.number()])),
  invariants: z.optional(
    z.partial(
      z.strictObject({
        ...flags(invariantNames),
        doubled: z.union([z.boolean(), z.partial(z.strictObject(flags(keysOf(creations))))]),
      }),
    ),
  ),
  environment: z.optional(
    z.union([z.boolean(), z.partial(z.strictObject(flags(environmentNames)))]),
  ),
  deadline: z.optional(timeSpanSchema),
  runTimeout: z.optional(positiveSchema.check(z.lte(longestRunTimeout))),
  actionLimit: z.optional(positiveSchema),
})

const functionNames = ['setup', 'scenario', 'restart', 'check', 'serve', 'print'] as const

export function resolveOptions<Context extends object>(
  options: ExploreOptions<Context>,
): ExploreSettings<Context> {
  const names = [...Object.keys(plainSchema.shape), ...functionNames, 'mock']
  checkFields(options, names, 'the options of explore')
  checkOptions(plainSchema, options, 'options')
  for (const name of functionNames) {
    const isMissing = options[name] === undefined && name !== 'scenario'
    if (isMissing || typeof options[name] === 'function') continue
    throw invalidOption(`options.${name}`, 'a function', options[name])
  }
  const { budget = { seconds: defaultSeconds }, seed = 1, invariants, environment } = options
  const isChecked = (name: InvariantName) => invariants?.[name] !== false
  const { doubled } = invariants ?? {}
  const allowed = keysOf(creations).filter(
    (name) => typeof doubled === 'object' && doubled[name] === false,
  )
  const { runTimeout = defaultRunTimeout, print = (line) => console.log(line) } = options
  return {
    ...options,
    print,
    runTimeout,
    budget,
    seed: String(seed),
    invariants: tableOf(invariantNames, isChecked),
    allowsDouble: (kind) => allowed.some((name) => creations[name] === kind),
    allowsEnvironment: (name) =>
      typeof environment === 'object' ? (environment[name] ?? true) : (environment ?? true),
  }
}

const moduleSchema = z.object({
  workers: z.optional(positiveSchema),
  isolate: z.optional(z.enum(hostKinds)),
})

export interface ModuleSettings {
  load: LoadedOptions
  workers: number
  runTimeout: number
  print: (line: string) => void
}

export function resolveModule(options: ExploreModuleOptions): ModuleSettings {
  const own = ['module', 'workers', 'isolate', 'print']
  checkFields(options, [...own, ...moduleOptionNames], 'the options of explore with a module')
  checkOptions(moduleSchema, options, 'options')
  const { module, isolate, workers = processors() } = options
  const { runTimeout = defaultRunTimeout, print = (line) => console.log(line) } = options
  const given = Object.fromEntries(
    moduleOptionNames.flatMap((name) =>
      options[name] === undefined ? [] : [[name, options[name]]],
    ),
  )
  // Apply the same checks as for a program in this process.
  resolveOptions({ ...given, scenario: () => {} })
  return { load: { module: urlOf(module), isolate, given }, workers, runTimeout, print }
}
