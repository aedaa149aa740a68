import * as z from 'zod/mini'
import type { Appointment } from '../../src/contract/appointments.ts'
import { collectionPath } from '../control/paths.ts'
import { anyObject, deletionSchema } from '../control/responses.ts'
import { MockError } from '../errors.ts'
import type { KeyParts } from '../state/collection.ts'
import {
  type CollectionName,
  catalogueCollections,
  recordCollections,
} from '../state/collection-names.ts'
import type { LabOrder } from '../state/records/orders.ts'
import type { ControlClient } from './control-client.ts'
import type { RemoteCollection, RemoteTeam } from './remote-team.ts'

type Records = Pick<RemoteTeam, (typeof recordCollections)[number] | 'catalogue'>

/** Returns the collections of a team. */
export function remoteRecords(client: ControlClient): Records {
  // `RemoteTeam` states the types of the records; every collection has the same methods.
  const records = remoteCollections(client, recordCollections) as unknown as Records
  const catalogue = remoteCollections(
    client,
    catalogueCollections,
  ) as unknown as Records['catalogue']
  return {
    ...records,
    catalogue,
    orders: {
      ...records.orders,
      complete: async (id) =>
        client.read<LabOrder>(`POST ${recordPath('/orders', [id])}/complete`, anyObject),
    },
    appointments: {
      ...records.appointments,
      transition: async (id, status, changes) => {
        const route = `POST ${recordPath('/appointments', [id])}/transition`
        return client.read<Appointment>(route, anyObject, { status, changes })
      },
    },
  }
}

type AnyRecord = Record<string, unknown>
type AnyCollection = RemoteCollection<AnyRecord, AnyRecord, KeyParts>

function remoteCollections(
  client: ControlClient,
  names: readonly CollectionName[],
): Record<string, AnyCollection> {
  return Object.fromEntries(
    names.map((name) => [name, remoteCollection(client, collectionPath(name))]),
  )
}

function remoteCollection(client: ControlClient, path: string): AnyCollection {
  const list = async (where: AnyRecord = {}) => {
    const conditions = Object.entries(Object(where))
    // A query contains strings, numbers and booleans only; the other conditions are checked here.
    const plain = conditions.filter(([, value]) => value !== null && typeof value !== 'object')
    const search = new URLSearchParams(plain.map(([name, value]) => [name, String(value)]))
    const found = await client.read<AnyRecord[]>(`GET ${path}?${search}`, z.array(anyObject))
    return found.filter((record) => conditions.every(([name, value]) => record[name] === value))
  }
  const get = (...key: KeyParts) =>
    orUndefined(async () => client.read<AnyRecord>(`GET ${recordPath(path, key)}`, anyObject))
  return {
    create: (input = {}) => client.read(`POST ${path}`, anyObject, input),
    get,
    has: async (...key) => (await get(...key)) !== undefined,
    list,
    update: async (...input) => {
      // All but the last part are the key.
      const key = input.slice(0, -1) as KeyParts
      return client.read(`PATCH ${recordPath(path, key)}`, anyObject, input.at(-1))
    },
    delete: (...key) => deleteAt(client, path, key),
    size: async () => (await list()).length,
  }
}

/** Deletes something by its key; returns false if there is none. */
export async function deleteAt(
  client: ControlClient,
  path: string,
  key: KeyParts,
): Promise<boolean> {
  const result = await orUndefined(async () =>
    client.read<{ deleted: boolean }>(`DELETE ${recordPath(path, key)}`, deletionSchema),
  )
  return result?.deleted ?? false
}

/**
 * Returns the path of a record. URL parsers remove the segments `.` and `..`, escaped or not, so that the request would
 * reach another operation.
 *
 * @throws {MockError} `unknown_record` for a key that a URL cannot contain.
 */
export function recordPath(path: string, key: KeyParts): string {
  if (key.every(isSegment)) return [path, ...key.map(encodeURIComponent)].join('/')
  throw new MockError('unknown_record', `No record in ${path} has this key.`)
}

/** Callers without types may pass any value. */
function isSegment(part: unknown): boolean {
  if (typeof part !== 'string') return typeof part === 'number'
  return part.isWellFormed() && !['', '.', '..'].includes(part)
}

/** Returns undefined if the record is unknown. */
export async function orUndefined<T>(find: () => Promise<T>): Promise<T | undefined> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof MockError && error.code === 'unknown_record') return undefined
    throw error
  }
}
