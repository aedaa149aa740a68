import { nextTurn } from '../../../src/shared/next-turn.ts'
import { settle } from '../../shared/settle.ts'
import type { Timeline } from './timeline.ts'

/** The estimated duration of one step, in microseconds. */
const stepWork = 100

/**
 * Resolves when a team is idle. If the next step would end a client timer, first lets requests and responses in transit
 * arrive, because they do not wait for virtual time. Pauses after many steps so other tasks can run.
 */
export async function settleTransit(
  timeline: Timeline,
  target = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { activity } = timeline
  const pause = timeline.slices.spend(stepWork)
  if (pause) await pause
  await activity.idle()
  const isTimerNext = () =>
    activity.nextTimerEnd <= Math.min(timeline.nextMoment, target) &&
    activity.nextTimerEnd !== Number.POSITIVE_INFINITY
  await settle(
    () => !isTimerNext(),
    () => nextTurn().then(() => activity.idle()),
  )
}

export async function runDue(timeline: Timeline): Promise<void> {
  const isDue = () => timeline.nextMoment <= timeline.moment
  while (isDue()) {
    const preparation = timeline.prepareStep()
    if (preparation) await preparation
    if (isDue()) timeline.step()
    const pause = timeline.slices.spend(stepWork)
    if (pause) await pause
  }
}

/** Moves time to `target`, event by event, unless a restart stops the move. */
export async function runTo(
  timeline: Timeline,
  target: number,
  isCurrent: () => boolean,
): Promise<void> {
  await settleTransit(timeline, target)
  const isNext = () => timeline.nextMoment <= target && isCurrent()
  while (isNext()) {
    const preparation = timeline.prepareStep()
    if (preparation) await preparation
    if (isNext()) timeline.step()
    await settleTransit(timeline, target)
  }
  if (isCurrent()) timeline.moment = Math.max(target, timeline.moment)
}
