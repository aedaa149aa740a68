import type { Send } from '../control/api.ts'
import type { HistoryPoint, HistoryPointDetail } from '../snapshot/history-point.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import type { CollectionName } from '../state/records/paths.ts'

/**
 * The history of a team in another process: the state after each request, scheduled event and control API change since
 * recording started. Contains at most the latest 1,000 points. Webhooks are not recorded.
 */
export interface RemoteHistory {
  /** Starts recording if it is off. The inspector starts recording for the team that it shows. */
  start(): Promise<void>
  /** Stops recording and deletes the points. */
  stop(): Promise<void>
  /** Returns the recorded points, oldest first, or an empty array if recording is off. */
  points(): Promise<HistoryPoint[]>
  /** Returns a point, the changes that led to it and the number of records in each collection. */
  get(point: number): Promise<HistoryPointDetail>
  /**
   * Returns a collection's records at a point, except unchanged built-in records.
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
   * Creates a team with the state at the given point and returns the team's API key.
   *
   * @param point The number of the point.
   * @param apiKey The API key of the new team. Default: `fork-<point>-<number>`.
   */
  fork(point: number, apiKey?: string): Promise<string>
}

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
