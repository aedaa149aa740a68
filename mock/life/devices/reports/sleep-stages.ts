import { minute } from '../../../base/time-units.ts'
import { uniform } from '../../noise.ts'
import type { PlannedSleep, SleepStage } from '../../plan/day-plan.ts'

/** A sleep session as a device noticed it. Its stages cover it without gaps. */
export interface NoticedSleep {
  readonly start: number
  readonly end: number
  readonly isNap: boolean
  readonly stages: readonly SleepStage[]
}

/** Returns a sleep session as a ring notices it, which is as it is, or as a watch does, which is later and coarser. */
export function noticeSleep(sleep: PlannedSleep, type: string, noise: number): NoticedSleep {
  if (type === 'ring') return sleep
  const start = sleep.start + Math.floor(uniform(noise, -2) * 10) * minute
  const stages: SleepStage[] = []
  for (const stage of sleep.stages) {
    if (stage.end <= start) continue
    const from = Math.max(stage.start, start)
    const isShort = stage.end - from < 4 * minute
    const last = stages.at(-1)
    if (last && (isShort || last.type === stage.type)) {
      stages[stages.length - 1] = { ...last, end: stage.end }
    } else {
      stages.push({ ...stage, start: from })
    }
  }
  return { start, end: sleep.end, isNap: sleep.isNap, stages }
}

/** Returns the seconds of each stage. */
export function stageSeconds({
  stages,
}: NoticedSleep): Readonly<Record<SleepStage['type'], number>> {
  const seconds = { awake: 0, light: 0, deep: 0, rem: 0 }
  for (const { type, start, end } of stages) seconds[type] += (end - start) / 1000
  return seconds
}
