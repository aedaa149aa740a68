import { suggestName } from '../contract/schema-tools/nearest.ts'
import { expectedBaseUrl, parseBaseUrl } from '../shared/base-url.ts'
import { countOutcome } from '../shared/reports.ts'
import { ExpectationError, NotApplicable } from './assertions.ts'
import { type ConformanceCase, type RunnableCase, sectionOf } from './case.ts'
import { runnableCases } from './cases.ts'
import type { ServiceTarget } from './http.ts'
import { type CaseResult, type ConformanceReport, describeCaseFailure } from './report.ts'
import { TestedService } from './service.ts'
import { type Need, needs, type Setup } from './setup.ts'

/** Options for {@link runConformance}. */
export interface ConformanceOptions {
  /** The service's base URL. */
  baseUrl: string
  /** A team's API key. */
  apiKey: string
  /** The `fetch` function that sends requests. Default: `globalThis.fetch`. */
  fetch?: ServiceTarget['fetch']
  /** Functions that prepare and inspect the service. Cases that need a missing function are skipped. Default: none. */
  setup?: Setup
  /** The cases to run, by section or id, such as `4.8`, `4` or `4.8/uuid`. Default: all. */
  only?: readonly string[]
  /** Whether to run only cases that leave the service unchanged. Default: false. */
  readOnly?: boolean
  /**
   * Whether to also check that the service matches the mock's defaults where the specification leaves behaviour open.
   * Default: false.
   */
  assumptions?: boolean
  /** The time limit for one call, in milliseconds. Default: 90,000. */
  timeout?: number
  /** Whether to stop at the first case that fails. Default: false. */
  bail?: boolean
}

/**
 * Checks a service against the specification, one case at a time.
 *
 * @throws {TypeError} for an unknown option or an invalid base URL.
 * @example
 * const report = await runConformance({ ...team.connection(), setup: createConformanceSetup(mock, team) })
 * console.log(toTable(report))
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  checkNames(options)
  checkBaseUrl(options)
  const { baseUrl, apiKey, fetch = globalThis.fetch, setup = {}, timeout = 90_000 } = options
  const connection = { baseUrl, apiKey, fetch, timeout }
  const service = new TestedService(connection, setup, options.assumptions)
  const results: CaseResult[] = []
  for (const one of runnableCases.filter((candidate) => isSelected(candidate, options.only))) {
    const result = await runCase(one, service, options)
    results.push(result)
    if (options.bail && result.outcome === 'failed') break
  }
  return {
    baseUrl,
    passed: countOutcome(results, 'passed'),
    failed: countOutcome(results, 'failed'),
    skipped: countOutcome(results, 'skipped'),
    results,
  }
}

/**
 * The accepted option names. They include `clock` and `exposeDetail`, because callers may spread `team.connection()`.
 */
const optionNames = Object.keys({
  baseUrl: true,
  apiKey: true,
  fetch: true,
  setup: true,
  only: true,
  readOnly: true,
  assumptions: true,
  timeout: true,
  bail: true,
  clock: true,
  exposeDetail: true,
} satisfies Record<keyof ConformanceOptions | 'clock' | 'exposeDetail', true>)

function checkNames(options: ConformanceOptions): void {
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name))
  if (unknown === undefined) return
  const advice = suggestName(unknown, optionNames)
  throw new TypeError(`Unknown option '${unknown}' of runConformance. ${advice}`)
}

function checkBaseUrl({ baseUrl }: ConformanceOptions): void {
  if (parseBaseUrl(baseUrl) !== undefined) return
  throw new TypeError(`Expected baseUrl to be ${expectedBaseUrl}.`)
}

/** @param only Sections or ids to run. An empty list selects every case. */
export function isSelected({ id }: { id: string }, only: readonly string[] = []): boolean {
  if (only.length === 0) return true
  return only.some(
    (prefix) => id === prefix || (/^[./]/.test(id.slice(prefix.length)) && id.startsWith(prefix)),
  )
}

async function runCase(
  one: RunnableCase,
  service: TestedService,
  options: ConformanceOptions,
): Promise<CaseResult> {
  const { id, title, readOnly, assumption } = one
  const facts = {
    id,
    section: sectionOf(one),
    title,
    readOnly,
    ...(assumption === undefined ? {} : { assumption }),
  }
  const skipped = reasonToSkip(one, options)
  if (skipped) return { ...facts, outcome: 'skipped', reason: skipped }
  try {
    await one.run(service)
    return { ...facts, outcome: 'passed' }
  } catch (error) {
    if (error instanceof NotApplicable) {
      return { ...facts, outcome: 'skipped', reason: error.message }
    }
    if (error instanceof ExpectationError) {
      const failure = describeCaseFailure(error, one.rules)
      return { ...facts, outcome: 'failed', reason: error.message, failure }
    }
    // The setup failed, or a response has a form that the case cannot read.
    return { ...facts, outcome: 'failed', reason: `The case could not run: ${reasonOf(error)}` }
  }
}

function reasonToSkip(
  { readOnly, assumption, needs: needed }: ConformanceCase,
  options: ConformanceOptions,
): string | undefined {
  if (options.readOnly && !readOnly) return 'the case changes data, and the run is read-only'
  if (!options.assumptions && assumption) return `the case assumes that ${assumption}`
  const missing = needed.filter((need: Need) => !options.setup?.[need])
  if (missing.length === 0) return undefined
  return `the setup does not provide ${missing.map((need) => needs[need]).join(', ')}`
}

/** Describes a thrown value. A setup can throw any value, even one that cannot be converted to a string. */
function reasonOf(error: unknown): string {
  try {
    return String(error)
  } catch {
    return 'the setup threw a value that cannot be converted to a string'
  }
}
