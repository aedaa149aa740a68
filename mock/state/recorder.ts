import type { Change } from './collections/collection.ts'

/** What a history point comes after: the start, a request, a due event, a control API call, or a restore. */
export const pointKinds = ['start', 'request', 'due', 'control', 'restore'] as const

/** What a history point comes after. */
export type PointKind = (typeof pointKinds)[number]

/** What happened before a point. */
export interface PointCause {
  /** What the point follows. */
  kind: PointKind
  /** What happened, such as `orders.create 200`. */
  title: string
  /** The number of the request in the journal. */
  request?: number
}

/** Records the history of a team. A team has one only while it is recorded. */
export interface Recorder {
  /** The number of points, including dropped ones. */
  readonly count: number
  /** Adds a change to the next point. */
  addChange(change: Change): void
  /** Adds a point with the state of the team now. */
  addPoint(cause: PointCause): void
  /** Adds a point after all records were replaced. */
  rebase(title: string): void
}
