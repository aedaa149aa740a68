import type { HealthDataRow } from '../../setup.ts'

/** A night: when it ended, and what was measured. */
export interface Night {
  /** Local time, such as `2025-05-30T07:00:00`. */
  at: string
  duration: number | null
  score?: number | null
  provider?: string
  type?: string
}

/** Returns the row of a night. It starts when it ends, so that either time is the time of the row. */
export function sleepRow({ at, duration, score, provider, type }: Night): HealthDataRow {
  const source = {
    ...(provider === undefined ? {} : { source_provider: provider }),
    ...(type === undefined ? {} : { source_type: type }),
  }
  const times = { session_start: at, session_end: at }
  const values = { ...times, duration_second: duration, score: score ?? null, ...source }
  return { resource: 'sleep', values }
}

/** Nights of May 2025, in no order, with two or three on some days. */
export const nights: readonly Night[] = [
  { at: '2025-05-30T06:30:00', duration: 25_200, score: 71 },
  { at: '2025-05-28T07:10:00', duration: 30_600, score: 90 },
  { at: '2025-05-30T14:00:00', duration: 1_800, score: 40 },
  { at: '2025-05-29T06:00:00', duration: 21_600, score: 66 },
  { at: '2025-05-28T15:20:00', duration: 5_400, score: 35 },
  { at: '2025-05-28T22:45:00', duration: 9_000, score: 62 },
  { at: '2025-05-26T08:00:00', duration: 27_900, score: 77 },
  { at: '2025-05-29T13:30:00', duration: 3_300, score: 55 },
  { at: '2025-05-20T07:45:00', duration: 28_800, score: 81 },
  { at: '2025-05-20T12:15:00', duration: 2_700, score: 81 },
  { at: '2025-05-12T05:55:00', duration: 19_800, score: 48 },
  { at: '2025-05-04T09:05:00', duration: 32_400, score: 93 },
]

/** The same nights without some of their values. */
export const gaps: readonly Night[] = nights.map((night, at) => ({
  ...night,
  score: at % 3 === 0 ? null : (night.score ?? null),
  duration: at % 4 === 2 ? null : night.duration,
}))
