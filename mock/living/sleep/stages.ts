import { minute } from '../../shared/time-units.ts'
import type { Draws } from '../noise.ts'
import { clamp } from '../numbers.ts'
import type { SleepStage } from '../plan/day-plan.ts'
import type { Span } from '../plan/spans.ts'

interface Sleeper {
  readonly age: number
  /** The average number of long awakenings per night. */
  readonly interruptions: number
}

type StageType = SleepStage['type']
type Part = [type: StageType, minutes: number]

/**
 * Returns the stages of a sleep session, without gaps. Cycles last about 90 minutes. Early cycles have more deep sleep,
 * and late cycles have more REM sleep.
 */
export function stagesOf({ start, end }: Span, sleeper: Sleeper, draws: Draws): SleepStage[] {
  const length = Math.round((end - start) / minute)
  const parts: Part[] = [['awake', Math.min(draws.integer(2, 24), Math.floor(length / 5))]]
  const cycles = Math.max(1, Math.round(length / draws.integerAround(92, 10)))
  const each = Math.max(1, Math.floor((length - lengthOf(parts)) / cycles))
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    parts.push(...cycleParts(each, (cycle + 0.5) / cycles, sleeper, draws))
    parts.push(...interruption(cycles, sleeper, draws))
  }
  parts.push(['light', length])
  return joinParts(parts, { start, end }, length)
}

/** Returns a cycle's parts. `place` is the cycle's position in the night, from 0 (start) to 1 (end). */
function cycleParts(minutes: number, place: number, { age }: Sleeper, draws: Draws): Part[] {
  const depth = clamp(0.48 - 0.0045 * (age - 20), 0.12, 0.5)
  const deep = Math.round(
    minutes * clamp(draws.around(depth * (1.15 - 1.35 * place), 0.08), 0, 0.6),
  )
  const rem = Math.round(minutes * clamp(draws.around(0.07 + 0.29 * place, 0.08), 0.02, 0.45))
  const wake = Math.min(
    draws.next() < 0.35 + age / 160 ? draws.integer(1, 4 + Math.floor(age / 14)) : 0,
    minutes,
  )
  const light = Math.max(0, minutes - deep - rem - wake)
  const first = Math.round(light * draws.around(0.4, 0.2))
  return [
    ['light', first],
    ['deep', deep],
    ['light', light - first],
    ['rem', rem],
    ['awake', wake],
  ]
}

function interruption(cycles: number, { interruptions }: Sleeper, draws: Draws): Part[] {
  return draws.next() < interruptions / cycles ? [['awake', draws.integer(9, 38)]] : []
}

/** Converts the parts to stages that cover the session. Merges adjacent parts of the same type. */
function joinParts(parts: readonly Part[], { start, end }: Span, length: number): SleepStage[] {
  const stages: { start: number; end: number; type: StageType }[] = []
  let at = 0
  for (const [type, wanted] of parts) {
    const minutes = Math.min(wanted, length - at)
    if (minutes <= 0) continue
    const span = { start: start + at * minute, end: start + (at + minutes) * minute }
    const last = stages.at(-1)
    if (last?.type === type) last.end = span.end
    else stages.push({ ...span, type })
    at += minutes
  }
  // The parts last whole minutes, but the session may not: some UTC offset changes include seconds.
  const last = stages.at(-1)
  if (last) last.end = end
  return stages
}

function lengthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, [, minutes]) => sum + minutes, 0)
}
