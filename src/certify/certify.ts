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

/**
 * Judges a webhook receiver: sends signed events, forgeries, duplicates and events in the wrong order, one case after
 * the other. The receiver stores them, so use a test database. How events are signed and delivered is an assumption;
 * the specification does not define it.
 *
 * @throws {TypeError} for an invalid or unknown option, and {@link EventError} `secret_invalid`.
 * @example
 * const handler = eventHandler({ secrets, on: {}, fallback: () => {} })
 * const report = await certify({ handler, secret: secrets })
 */
export async function certify(options: CertifyOptions): Promise<CertifyReport> {
  const settings = parseCertifyOptions(options)
  const results: CertifyResult[] = []
  for (const one of runnableCases.filter(({ id }) => isSelected(id, settings))) {
    const [first] = results
    const isUseless = first?.id === firstCase && first.outcome === 'failed'
    const skipped = isUseless ? `the case ${firstCase} failed` : reasonToSkip(one, settings)
    results.push(skipped ? resultOf(one, 'skipped', skipped) : await runCase(one, settings))
  }
  return {
    passed: countOutcome(results, 'passed'),
    failed: countOutcome(results, 'failed'),
    skipped: countOutcome(results, 'skipped'),
    results,
  }
}

function isSelected(id: string, { only, skip }: CertifySettings): boolean {
  const matches = (prefix: string) => id === prefix || id.startsWith(`${prefix}/`)
  return (only.length === 0 || only.some(matches)) && !skip.some(matches)
}

function reasonToSkip({ needs }: CertifyCase, settings: CertifySettings): string | undefined {
  const { probe, secrets, simulate } = settings
  const offered: Record<CertifyNeed, boolean> = {
    probe: probe !== undefined,
    secrets: secrets.length > 1,
    failure: simulate.failure !== undefined,
    delay: simulate.delay !== undefined,
  }
  const missing = needs.find((need) => !offered[need])
  return missing && certifyNeeds[missing]
}

async function runCase(one: RunnableCase, settings: CertifySettings): Promise<CertifyResult> {
  try {
    await one.run(new Trial(settings, await settle(settings.createUser())))
    return resultOf(one, 'passed')
  } catch (error) {
    if (error instanceof NotObservable) return resultOf(one, 'skipped', error.message)
    if (error instanceof Violation) return resultOf(one, 'failed', error.message)
    // A function of the options failed. Its message may contain health data.
    const name = error instanceof Error ? error.name : typeof error
    return resultOf(one, 'failed', `The case could not run: probe, user or simulate threw ${name}.`)
  }
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
