import { nextTurn } from '../../base/next-turn.ts'
import type { Timeline } from './timeline.ts'

/** The turns of the event loop within which adapters, such as that of MSW, pass on requests and responses. */
const transitTurns = 50

/**
 * Resolves when a team is idle. If the next step of its time would end a timer of a client, this gives requests and
 * responses time to arrive first, because they do not wait for virtual time.
 */
export async function settleTransit(
  timeline: Timeline,
  target = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { activity } = timeline
  await activity.idle()
  for (let turn = 0; turn < transitTurns; turn += 1) {
    const isTimerNext = activity.nextTimerEnd <= Math.min(timeline.nextMoment, target)
    if (!isTimerNext || activity.nextTimerEnd === Number.POSITIVE_INFINITY) return
    await nextTurn()
    await activity.idle()
  }
}

/** Moves time to a moment, from event to event, unless a restart stops the move. */
export async function runTo(
  timeline: Timeline,
  target: number,
  isCurrent: () => boolean,
): Promise<void> {
  await settleTransit(timeline, target)
  while (timeline.nextMoment <= target && isCurrent()) {
    timeline.step()
    await settleTransit(timeline, target)
  }
  if (isCurrent()) timeline.moment = Math.max(target, timeline.moment)
}
