import type { Change } from './collections/collection.ts'

/** The triggers of history points: the start, a request, a due event, a control API call or a restore. */
export const pointKinds = ['start', 'request', 'due', 'control', 'restore'] as const

/** The trigger of a history point. */
export type PointKind = (typeof pointKinds)[number]

/** The cause of a history point. */
export interface PointCause {
  /** The trigger of the point. */
  kind: PointKind
  /** A description, such as `orders.create 200`. */
  title: string
  /** The request's number in the journal. */
  request?: number
}

/** Records a team's history. A team has a recorder only while its history is being recorded. */
export interface Recorder {
  /** The number of points, including dropped ones. */
  readonly count: number
  /** Adds a change to the next point. */
  addChange(change: Change): void
  /** Adds a point with the team's current state. */
  addPoint(cause: PointCause): void
  /** Adds a point after all records have been replaced. */
  rebase(title: string): void
}
