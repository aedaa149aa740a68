import { type ConformanceCase, type RunnableCase, sectionOf } from './case.ts'
import { runnableCases } from './cases.ts'
import { NotApplicable, Unmet } from './expect.ts'
import type { CaseResult, ConformanceReport } from './report.ts'
import { type Connection, Service } from './service.ts'
import { type Need, needs, type Setup } from './setup.ts'

/** Which service is held against the specification, and how. */
export interface ConformanceOptions {
  baseUrl: string
  apiKey: string
  /** Takes the place of the platform's `fetch`. */
  fetch?: Connection['fetch']
  /** What no call of the specification gives; cases that need more are skipped. */
  setup?: Setup
  /** Sections or ids of cases, such as `4.8`, `4` or `4.8/uuid`. Default: all of them. */
  only?: readonly string[]
  /** Whether only cases run that leave the service as it was. Default: false. */
  readOnly?: boolean
  /** Whether cases run that rely on what the specification leaves open. Default: true. */
  presumptions?: boolean
  /** Milliseconds that one call may take. Default: 90,000. */
  timeout?: number
  /** Whether to stop at the first case that fails. Default: false. */
  bail?: boolean
}

/**
 * Holds a service against the specification, one case after the other.
 *
 * @example
 * const report = await runConformance({ ...team.connection(), setup: conformanceSetup(mock, team) })
 * console.log(toTable(report))
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const { baseUrl, apiKey, fetch = globalThis.fetch, setup = {}, timeout = 90_000 } = options
  const service = new Service({ baseUrl, apiKey, fetch, timeout }, setup)
  const results: CaseResult[] = []
  for (const one of runnableCases.filter((candidate) => isWanted(candidate, options.only))) {
    const result = await resultOf(one, service, options)
    results.push(result)
    if (options.bail && result.outcome === 'failed') break
  }
  const count = (outcome: CaseResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length
  return {
    baseUrl,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    results,
  }
}

function isWanted({ id }: ConformanceCase, only: readonly string[] = []): boolean {
  if (only.length === 0) return true
  return only.some(
    (wanted) => id === wanted || (/^[./]/.test(id.slice(wanted.length)) && id.startsWith(wanted)),
  )
}

async function resultOf(
  one: RunnableCase,
  service: Service,
  options: ConformanceOptions,
): Promise<CaseResult> {
  const { id, title, readOnly, presumes } = one
  const facts = {
    id,
    section: sectionOf(one),
    title,
    readOnly,
    ...(presumes === undefined ? {} : { presumes }),
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
    if (error instanceof Unmet) return { ...facts, outcome: 'failed', reason: error.message }
    // The setup, or an answer of a form that nobody thought of.
    return { ...facts, outcome: 'failed', reason: `The case could not be run: ${error}` }
  }
}

function reasonToSkip(
  { readOnly, presumes, needs: needed }: ConformanceCase,
  options: ConformanceOptions,
): string | undefined {
  if (options.readOnly && !readOnly) return 'it changes the service'
  if (options.presumptions === false && presumes) return `it presumes ${presumes}`
  const missing = needed.filter((need: Need) => !options.setup?.[need])
  if (missing.length === 0) return undefined
  return `the setup does not offer ${missing.map((need) => needs[need]).join(', ')}`
}
