import { adopt } from '../shared/adopt.ts'
import { countOutcome } from '../shared/reports.ts'
import {
  type CertifyCase,
  type CertifyNeed,
  certifyNeeds,
  type RunnableCertifyCase,
} from './case.ts'
import { runnableCertifyCases } from './cases.ts'
import { NotObservable, ReceiverFailure } from './expectation.ts'
import { type CertifyOptions, type CertifySettings, parseCertifyOptions } from './options.ts'
import type { CertifyReport, CertifyResult } from './report.ts'
import { Trial, wait } from './trial.ts'

/**
 * If this case fails and the secret may be wrong, all other cases are skipped, because a receiver that rejects
 * everything would pass the forgery cases.
 */
const firstCase = 'signature/valid'

/** After this many cases time out, the rest are skipped, because each could time out too. */
const maxSlowCases = 2

/**
 * Tests a webhook receiver. The cases run one at a time and send signed events, forgeries, duplicates and out-of-order
 * events. The receiver stores the events, so use a test database. Event signing and delivery are assumptions, because
 * the specification does not define them.
 *
 * @throws {TypeError} for an invalid or unknown option.
 * @throws {EventError} `secret_invalid` for a missing or malformed secret.
 * @example
 * const handler = eventHandler({ secrets, on: {}, fallback: () => {} })
 * const report = await certify({ handler, secret: secrets })
 */
export async function certify(options: CertifyOptions): Promise<CertifyReport> {
  return runCases(parseCertifyOptions(options))
}

/** @throws {TypeError} when no case is selected. */
export async function runCases(settings: CertifySettings): Promise<CertifyReport> {
  const results: CertifyResult[] = []
  const run: Run = { slowCases: 0, isTrusted: false, trials: new Map() }
  const selected = runnableCertifyCases.filter(({ id }) => isSelected(id, settings))
  if (selected.length === 0) {
    throw new TypeError(
      'No case matches the only and skip options. Use topics or case ids, such as signature or signature/valid.',
    )
  }
  for (const one of selected) {
    const skipped = reasonToStop(results, run) ?? reasonToSkip(one, settings)
    results.push(skipped ? resultOf(one, 'skipped', skipped) : await runCase(one, settings, run))
  }
  await lookAgain(results, settings, run)
  return {
    passed: countOutcome(results, 'passed'),
    failed: countOutcome(results, 'failed'),
    skipped: countOutcome(results, 'skipped'),
    results,
  }
}

interface Run {
  /** The number of failed cases in which a delivery timed out. */
  slowCases: number
  /** Whether the secret seems correct even though a case failed. */
  isTrusted: boolean
  /** The trials of the cases that passed. */
  readonly trials: Map<RunnableCertifyCase, Trial>
}

/** Returns the reason to skip the remaining cases, or undefined to run them. */
function reasonToStop([first]: CertifyResult[], { slowCases, isTrusted }: Run): string | undefined {
  const isDistrusted = first?.id === firstCase && first.outcome === 'failed' && !isTrusted
  if (isDistrusted) return `the case ${firstCase} failed`
  if (slowCases < maxSlowCases) return undefined
  return `${maxSlowCases} cases timed out; if the receiver is slow, increase timeout`
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

/** Runs a failed case once more if a delivery timed out, because the machine may have been busy. */
async function runCase(
  one: RunnableCertifyCase,
  settings: CertifySettings,
  run: Run,
): Promise<CertifyResult> {
  const first = await tryCase(one, settings, run)
  const { result, timeouts } = first.timeouts > 0 ? await tryCase(one, settings, run) : first
  if (result.outcome === 'failed' && timeouts > 0) run.slowCases += 1
  return result
}

async function tryCase(
  one: RunnableCertifyCase,
  settings: CertifySettings,
  run: Run,
): Promise<{ result: CertifyResult; timeouts: number }> {
  let trial: Trial | undefined
  try {
    trial = new Trial(settings, await adopt(settings.createUser()))
    await one.run(trial)
    run.trials.set(one, trial)
    return { result: resultOf(one, 'passed'), timeouts: 0 }
  } catch (error) {
    if (error instanceof NotObservable) {
      return { result: resultOf(one, 'skipped', error.message), timeouts: 0 }
    }
    run.isTrusted ||= trial?.isTrusted ?? false
    const { timeouts = 0 } = trial ?? {}
    return { result: failureOf(one, error), timeouts }
  }
}

/**
 * Sends the messages that passed cases scheduled for the end of the run, waits for background work in the receiver, and
 * repeats the checks. Fails cases whose checks no longer pass.
 */
async function lookAgain(
  results: CertifyResult[],
  { probe, settleTime }: CertifySettings,
  { trials }: Run,
): Promise<void> {
  if (!probe || trials.size === 0) return
  const check = async (part: (trial: Trial) => Promise<void>) => {
    for (const [one, trial] of trials) {
      try {
        await part(trial)
      } catch (error) {
        const at = results.findIndex(({ id }) => id === one.id)
        results[at] = failureOf(one, error)
      }
    }
  }
  await check((trial) => trial.sendLast())
  await wait(settleTime + Math.max(...[...trials.values()].map(({ delay }) => delay)))
  await check((trial) => trial.lookAgain())
}

function failureOf(one: CertifyCase, error: unknown): CertifyResult {
  const { remedy = one.remedy } = error instanceof ReceiverFailure ? error : one
  return resultOf({ ...one, remedy }, 'failed', describeError(error))
}

function describeError(error: unknown): string {
  if (error instanceof ReceiverFailure) return error.message
  // A function from the options threw. The error message is omitted, because it may contain health data.
  const name = error instanceof Error ? error.name : typeof error
  return `The case could not run: probe, user, team or simulate threw ${name}.`
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
