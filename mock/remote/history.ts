import type { Send } from '../control/api.ts'
import type { HistoryPoint, HistoryPointDetail } from '../snapshot/history-point.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import type { CollectionName } from '../state/records/paths.ts'

/**
 * The history of a team in another process: the state after each request, due event and call of the control API, since
 * the recording was started. It keeps the latest 1,000 points. Points have no webhooks.
 */
export interface RemoteHistory {
  /** Starts to record, unless the history is recorded already. The inspector starts it for the team that it shows. */
  start(): Promise<void>
  /** Stops the recording, and deletes the points. */
  stop(): Promise<void>
  /** Returns the points that are kept, the oldest first; none while the history is not recorded. */
  points(): Promise<HistoryPoint[]>
  /** Returns a point with the changes before it, and the numbers of its records. */
  get(point: number): Promise<HistoryPointDetail>
  /**
   * Returns the records of a collection at a point, without the seeded ones that did not change.
   *
   * @param point The number of the point.
   * @param collection The name of the collection, such as `orders`.
   */
  records(point: number, collection: CollectionName): Promise<object[]>
  /** Returns a snapshot of the team at a point. */
  snapshot(point: number): Promise<Snapshot>
  /** Returns the team's state at a point as one line of JavaScript to paste into a test. */
  reproduction(point: number): Promise<string>
  /**
   * Creates a team with the state at a point, and returns its API key.
   *
   * @param point The number of the point.
   * @param apiKey The API key of the new team. Default: `fork-<point>-<number>`.
   */
  fork(point: number, apiKey?: string): Promise<string>
}

/** Returns the history of a team. */
export function remoteHistory(send: Send): RemoteHistory {
  return {
    start: async () => void (await send('history.start')),
    stop: () => send('history.stop'),
    points: async () => (await send('history.list')).points,
    get: (number) => send('history.get', { params: { number } }),
    records: (number, collection) =>
      send('history.records', { params: { number }, query: { collection } }),
    snapshot: (number) => send('history.snapshot', { params: { number } }),
    reproduction: async (number) =>
      (await send('history.reproduction', { params: { number } })).line,
    fork: async (number, api_key) =>
      (await send('history.fork', { params: { number }, body: { api_key } })).api_key,
  }
}
