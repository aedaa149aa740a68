import type { Change } from './collections/collection.ts'

export const pointKinds = ['start', 'request', 'due', 'control', 'restore'] as const

/** What caused a history point. */
export type PointKind = (typeof pointKinds)[number]

export interface PointCause {
  kind: PointKind
  /** A description, such as `orders.create 200`. */
  title: string
  request?: number
}

/** Records a team's history. A team has a recorder only while recording is on. */
export interface Recorder {
  /** The number of points, including dropped ones. */
  readonly count: number
  /** Adds a change to the next point. */
  addChange(change: Change): void
  addPoint(cause: PointCause): void
  /** Adds a point after all records have been replaced. */
  rebase(title: string): void
}
