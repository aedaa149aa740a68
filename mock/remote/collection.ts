import * as z from 'zod/mini'
import { jsonObjectSchema } from '../base/schemas.ts'
import { deletionSchema } from '../control/responses.ts'
import { MockError } from '../errors.ts'
import type { KeyParts } from '../state/record-key.ts'
import type { ControlClient } from './control-client.ts'

/**
 * Records of one kind, in a mock that another process serves. Every method rejects with a `MockError`.
 *
 * @typeParam T The type of a record.
 * @typeParam Input The fields that create a record.
 * @typeParam Key The parts of the key of a record.
 */
export interface RemoteCollection<T, Input = Partial<T>, Key extends KeyParts = [id: string]> {
  /** Creates a record; omitted fields are generated. */
  create(input?: Input): Promise<T>
  /** Returns a record by its key; undefined if it is unknown. */
  get(...key: Key): Promise<T | undefined>
  /** Returns whether a record has this key. */
  has(...key: Key): Promise<boolean>
  /** Returns the records in the order of their creation: all, or those with these values. */
  list(where?: Partial<T>): Promise<T[]>
  /** Replaces fields of a record, and returns the new record. */
  update(...input: [...key: Key, changes: Partial<T>]): Promise<T>
  /** Deletes a record; returns false if it is unknown. */
  delete(...key: Key): Promise<boolean>
  /** Returns the number of records. */
  size(): Promise<number>
}

type AnyRecord = Record<string, unknown>

/** A collection without the types of its records. */
export type AnyRemoteCollection = RemoteCollection<AnyRecord, AnyRecord, KeyParts>

/** Returns a collection of a team. */
export function remoteCollection(client: ControlClient, path: string): AnyRemoteCollection {
  const list = async (where: AnyRecord = {}) => {
    const conditions = Object.entries(Object(where))
    // A query contains strings, numbers and booleans only; the other conditions are checked here.
    const plain = conditions.filter(([, value]) => value !== null && typeof value !== 'object')
    const search = new URLSearchParams(plain.map(([name, value]) => [name, String(value)]))
    const found = await client.read<AnyRecord[]>(`GET ${path}?${search}`, z.array(jsonObjectSchema))
    return found.filter((record) => conditions.every(([name, value]) => record[name] === value))
  }
  const get = (...key: KeyParts) =>
    orUndefined(async () =>
      client.read<AnyRecord>(`GET ${recordPath(path, key)}`, jsonObjectSchema),
    )
  return {
    create: (input = {}) => client.read(`POST ${path}`, jsonObjectSchema, input),
    get,
    has: async (...key) => (await get(...key)) !== undefined,
    list,
    update: async (...input) => {
      // All but the last part are the key.
      const key = input.slice(0, -1) as KeyParts
      return client.read(`PATCH ${recordPath(path, key)}`, jsonObjectSchema, input.at(-1))
    },
    delete: (...key) => deleteAt(client, path, key),
    size: async () => (await list()).length,
  }
}

/** Deletes something by its key; returns false if it is unknown. */
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
