import { keysOf } from '../../../src/shared/narrow.ts'
import { messageOf } from '../../errors.ts'
import { spanOf } from '../../state/clock/time.ts'
import type { JudgeSettings } from '../options.ts'
import { judgementOf } from '../plan/fault-names.ts'
import type { RunResult } from '../run/run.ts'
import { type ActionCounts, findDoubled } from './doubled.ts'
import { findLost } from './lost.ts'
import type { InvariantName, Violation } from './names.ts'
import { findLateCall, findUnsafeRetry, type SendCounts } from './requests.ts'

export interface CleanRun {
  actions: ActionCounts
  sends: SendCounts
  /**
   * Whether the program sends requests late even without faults. If so, late requests are violations only if there is a
   * `deadline`.
   */
  hasLateCalls: boolean
}

export function findViolation(
  run: RunResult,
  settings: JudgeSettings,
  clean: CleanRun,
): Violation | undefined {
  const judgement = judgementOf(run.plan)
  const violation = findEndless(run, settings) ?? findBuiltIn(run, rulesOf(run, settings), clean)
  if (violation || judgement === 'rules') return violation
  const error = findRestartError(run) ?? findEnvironmentError(run)
  if (error) return error
  return judgement === 'tolerance' ? findIntolerance(run) : findCheckError(run, settings)
}

/**
 * Returns whether the plan sets an environment. If so, the service's record ids can differ from those in the run
 * without faults.
 */
function hasEnvironment({ plan }: RunResult): boolean {
  return plan.some(({ kind, name }) => kind === 'environment' && name === 'run')
}

/**
 * Switches off the rules that cannot be checked in this run, such as comparisons with the run without faults if the
 * record ids differ.
 */
function rulesOf(run: RunResult, settings: JudgeSettings): JudgeSettings {
  const { invariants } = settings
  if (hasEnvironment(run)) {
    return { ...settings, invariants: { ...invariants, doubled: false, unsafeRetries: false } }
  }
  // If downtime lasts for days, delivery retries run out and idempotency keys expire. The specification does not
  // mention these keys.
  const isDown = run.plan.some(({ fault }) => fault === 'days_later')
  const hasEnded = { ...invariants, unhandledEvents: false, doubled: false }
  return isDown ? { ...settings, invariants: hasEnded } : settings
}

function findEnvironmentError(run: RunResult): Violation | undefined {
  if (!run.scenarioError || !hasEnvironment(run) || judgementOf(run.plan)) return undefined
  const { error } = run.scenarioError
  const message = `The scenario fails even though the service works normally: ${messageOf(error)}`
  return { name: 'environment', message, cause: error }
}

export function findCleanViolation(run: RunResult, settings: JudgeSettings): Violation | undefined {
  const none = { actions: new Map(), sends: new Map(), hasLateCalls: true }
  const error = run.scenarioError?.error
  if (run.scenarioError) {
    const message = `The scenario fails even without faults: ${messageOf(error)}`
    return { name: 'scenario', message, cause: error }
  }
  const invariants = { ...settings.invariants, doubled: false }
  return findViolation(run, { ...settings, invariants }, none)
}

const interruptedCalls =
  ' If setup creates a client with maxConcurrency, create it in scenario and restart instead: calls that a crash interrupted still count toward the limit.'

function findEndless(
  { end, actions, lastAction, steps }: RunResult,
  { runTimeout }: JudgeSettings,
): Violation | undefined {
  if (end === 'ended') return undefined
  const reason =
    end === 'endless'
      ? `it was still running after ${actions - 1} requests and waits. Increase actionLimit if it needs more`
      : `it was still running after ${runTimeout} ms of real time. Increase runTimeout if it is just slow`
  const isRestarted = steps.some(({ kind }) => kind === 'restart')
  const hint = end !== 'endless' && isRestarted ? interruptedCalls : ''
  const message = `Your program did not finish: ${reason}.${hint}`
  return { name: 'endless', message, cause: lastAction }
}

function findBuiltIn(
  run: RunResult,
  { invariants, allowsDouble, deadline }: JudgeSettings,
  clean: CleanRun,
): Violation | undefined {
  const rules: Partial<Record<InvariantName, () => Violation | undefined>> = {
    doubled: () => findDoubled(run, clean.actions, allowsDouble),
    unsafeRetries: () => findUnsafeRetry(run, clean.sends),
    rejections: () => findRejection(run),
    unhandledEvents: () => findUnhandledEvent(run),
    lateCalls: () =>
      clean.hasLateCalls && deadline === undefined
        ? undefined
        : findLateCall(run, deadline === undefined ? undefined : spanOf(deadline)),
  }
  for (const name of keysOf(rules)) {
    const violation = invariants[name] ? rules[name]?.() : undefined
    if (violation) return violation
  }
  return undefined
}

function findRejection({ rejections }: RunResult): Violation | undefined {
  if (rejections.length === 0) return undefined
  const [error] = rejections
  return {
    name: 'rejections',
    message: `An unhandled error would end the process: ${messageOf(error)}`,
    cause: error,
  }
}

function findUnhandledEvent({ team, plan }: RunResult): Violation | undefined {
  const has = (name: string) => plan.some(({ fault }) => fault === name)
  // A late event has few delivery attempts left, and all of them may fall in the outage.
  if (has('late') && has('outage')) return undefined
  const failed = team.webhooks.list().flatMap((webhook) => webhook.deadLetters())
  const [first] = failed
  return (
    first && {
      name: 'unhandledEvents',
      message: `Your receiver did not acknowledge any attempt to deliver an event of type ${first.event_type}, so the event is lost.`,
    }
  )
}

/** Returns a violation for an error from `restart`, unless a second fault may have caused it. */
function findRestartError({ restartError, plan }: RunResult): Violation | undefined {
  const faults = plan.filter(({ kind }) => kind !== 'environment')
  if (!restartError || faults.length > 1) return undefined
  const { error } = restartError
  // After several days of downtime, a durable write cannot be sent again with its key. The write is then listed for
  // manual resolution, so nothing is lost.
  const isDown = plan.some(({ fault }) => fault === 'days_later')
  if (isDown && Object(error).code === 'unresolved') return undefined
  return {
    name: 'restart',
    message: `restart fails after the crash, even without any other fault: ${messageOf(error)}`,
    cause: error,
  }
}

function findIntolerance({ scenarioError }: RunResult): Violation | undefined {
  if (!scenarioError) return undefined
  const { error } = scenarioError
  return {
    name: 'intolerant',
    message: `The scenario fails because of a value that the specification allows at any time: ${messageOf(error)}`,
    cause: error,
  }
}

function findCheckError(run: RunResult, { invariants }: JudgeSettings): Violation | undefined {
  if (run.checkError) {
    const { error } = run.checkError
    return { name: 'check', message: `The check fails: ${messageOf(error)}`, cause: error }
  }
  return invariants.lost ? findLost(run) : undefined
}
