import { settle } from '../contract/settle.ts'
import { countOutcome } from '../reports/outcome.ts'
import { type CertifyCase, type CertifyNeed, certifyNeeds, type RunnableCase } from './case.ts'
import { runnableCases } from './cases.ts'
import { NotObservable, Violation } from './expectation.ts'
import { type CertifyOptions, type CertifySettings, parseCertifyOptions } from './options.ts'
import type { CertifyReport, CertifyResult } from './report.ts'
import { Trial } from './trial.ts'

/** The case without which no other is meaningful: a receiver that rejects everything also rejects forgeries. */
const firstCase = 'signature/valid'

/** The number of cases without a response after which a run ends, so that it takes seconds. */
const maxSlowCases = 2

/**
 * Judges a webhook receiver: sends signed events, forgeries, duplicates and events in the wrong order, one case after
 * the other. The receiver stores them, so use a test database. How events are signed and delivered is an assumption;
 * the specification does not define it.
 *
 * @throws {TypeError} for an invalid or unknown option, and `EventError` `secret_invalid`.
 * @example
 * const handler = eventHandler({ secrets, on: {}, fallback: () => {} })
 * const report = await certify({ handler, secret: secrets })
 */
export async function certify(options: CertifyOptions): Promise<CertifyReport> {
  const settings = parseCertifyOptions(options)
  const results: CertifyResult[] = []
  const run = { slowCases: 0 }
  const selected = runnableCases.filter(({ id }) => isSelected(id, settings))
  if (selected.length === 0) {
    throw new TypeError('No case matches only and skip. Use topics such as signature.')
  }
  for (const one of selected) {
    const skipped = reasonToStop(results, run) ?? reasonToSkip(one, settings)
    results.push(skipped ? resultOf(one, 'skipped', skipped) : await runCase(one, settings, run))
  }
  return {
    passed: countOutcome(results, 'passed'),
    failed: countOutcome(results, 'failed'),
    skipped: countOutcome(results, 'skipped'),
    results,
  }
}

/** What is known of a run so far. */
interface Run {
  /** The number of cases that failed without a response in time. */
  slowCases: number
}

/** Returns why the other cases would find nothing new, or take too long. */
function reasonToStop([first]: CertifyResult[], { slowCases }: Run): string | undefined {
  if (first?.id === firstCase && first.outcome === 'failed') return `the case ${firstCase} failed`
  if (slowCases < maxSlowCases) return undefined
  return `${maxSlowCases} cases failed without a response in time; with a slow receiver, raise timeout`
}

function isSelected(id: string, { only, skip }: CertifySettings): boolean {
  const matches = (prefix: string) => id === prefix || id.startsWith(`${prefix}/`)
  return (only.length === 0 || only.some(matches)) && !skip.some(matches)
}

function reasonToSkip({ needs }: CertifyCase, settings: CertifySettings): string | undefined {
  const { probe, team, secrets, simulate } = settings
  const offered: Record<CertifyNeed, boolean> = {
    probe: probe !== undefined,
    team: team !== undefined,
    secrets: secrets.length > 1,
    failure: simulate.failure !== undefined,
    delay: simulate.delay !== undefined,
  }
  const missing = needs.find((need) => !offered[need])
  return missing && certifyNeeds[missing]
}

async function runCase(
  one: RunnableCase,
  settings: CertifySettings,
  run: Run,
): Promise<CertifyResult> {
  let timeouts = 0
  try {
    const trial = new Trial(settings, await settle(settings.createUser()))
    await one.run(trial).finally(() => {
      timeouts = trial.timeouts
    })
    return resultOf(one, 'passed')
  } catch (error) {
    if (error instanceof NotObservable) return resultOf(one, 'skipped', error.message)
    if (timeouts > 0) run.slowCases += 1
    return resultOf(one, 'failed', describeError(error))
  }
}

function describeError(error: unknown): string {
  if (error instanceof Violation) return error.message
  // A function of the options failed. Its message may contain health data.
  const name = error instanceof Error ? error.name : typeof error
  return `The case could not run: probe, user or simulate threw ${name}.`
}

function resultOf(
  { id, title, basis, remedy }: CertifyCase,
  outcome: CertifyResult['outcome'],
  reason?: string,
): CertifyResult {
  return {
    ...{ id, title, basis, outcome },
    ...(reason === undefined ? {} : { reason }),
    ...(outcome === 'failed' ? { remedy } : {}),
  }
}
