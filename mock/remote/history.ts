import * as z from 'zod/mini'
import { jsonObjectSchema } from '../base/schemas.ts'
import {
  forkSchema,
  historySchema,
  pointDetailSchema,
  reproductionSchema,
  snapshotHeadSchema,
} from '../control/responses.ts'
import type { HistoryPoint, HistoryPointDetail } from '../snapshot/history-point.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import type { CollectionName } from '../state/collection-names.ts'
import type { ControlClient } from './control-client.ts'

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

interface HistoryState {
  points: HistoryPoint[]
}

/** Returns the history of a team. */
export function remoteHistory(client: ControlClient): RemoteHistory {
  return {
    start: async () => void (await client.run('POST /history')),
    stop: async () => void (await client.run('DELETE /history')),
    points: async () => (await client.read<HistoryState>('GET /history', historySchema)).points,
    get: (point) => client.read(`GET /history/${point}`, pointDetailSchema),
    records: (point, collection) =>
      client.read(
        `GET /history/${point}/records?collection=${collection}`,
        z.array(jsonObjectSchema),
      ),
    snapshot: (point) => client.read(`GET /history/${point}/snapshot`, snapshotHeadSchema),
    reproduction: async (point) => {
      const route = `GET /history/${point}/reproduction`
      return (await client.read<{ line: string }>(route, reproductionSchema)).line
    },
    fork: async (point, api_key) => {
      const route = `POST /history/${point}/fork`
      return (await client.read<{ api_key: string }>(route, forkSchema, { api_key })).api_key
    },
  }
}
