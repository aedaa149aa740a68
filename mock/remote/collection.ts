import type { AnyInput, Send } from '../control/api.ts'
import { type CollectionId, collectionId, paramNames } from '../control/routes.ts'
import { MockError } from '../errors.ts'
import type { CollectionName } from '../state/records/paths.ts'
import type { KeyParts } from '../state/records/record-key.ts'

/**
 * The records of one kind in a mock that runs in another process. Failed calls reject with a `MockError`.
 *
 * @typeParam T The type of a record.
 * @typeParam Input The type of the input for `create`.
 * @typeParam Key The parts of a record's key.
 */
export interface RemoteCollection<T, Input = Partial<T>, Key extends KeyParts = [id: string]> {
  /** Creates a record. Omitted fields are generated. */
  create(input?: Input): Promise<T>
  /** Returns the record with the given key, or undefined if there is none. */
  get(...key: Key): Promise<T | undefined>
  /** Returns whether a record has this key. */
  has(...key: Key): Promise<boolean>
  /** Returns the records, or only those with the given values, in insertion order. */
  list(where?: Partial<T>): Promise<T[]>
  /** Updates fields of a record and returns the updated record. */
  update(...input: [...key: Key, changes: Partial<T>]): Promise<T>
  /** Deletes a record. Returns false if no record has this key. */
  delete(...key: Key): Promise<boolean>
  /** Returns the number of records. */
  size(): Promise<number>
}

type AnyRecord = Record<string, unknown>

type AnySend = <T = AnyRecord>(id: string, input?: AnyInput) => Promise<T>

export function remoteCollection(
  send: Send,
  name: CollectionName,
): RemoteCollection<AnyRecord, AnyRecord, KeyParts> {
  // Every collection has the same operations, but its own record types.
  return anyCollection(send as unknown as AnySend, collectionId(name))
}

function anyCollection(
  send: AnySend,
  id: CollectionId,
): RemoteCollection<AnyRecord, AnyRecord, KeyParts> {
  const names = paramNames(`${id}.get`)
  const paramsOf = (key: KeyParts) =>
    Object.fromEntries(names.map((name, index) => [name, key[index] ?? '']))
  const list = async (where: AnyRecord = {}) => {
    const conditions = Object.entries(Object(where))
    // A query can contain only strings, numbers and booleans. The other conditions are checked below.
    const plain = conditions.filter(([, value]) => value !== null && typeof value !== 'object')
    const found = await send<AnyRecord[]>(`${id}.list`, { query: Object.fromEntries(plain) })
    return found.filter((record) => conditions.every(([name, value]) => record[name] === value))
  }
  const get = (...key: KeyParts) => orUndefined(send(`${id}.get`, { params: paramsOf(key) }))
  return {
    create: (body = {}) => send(`${id}.create`, { body }),
    get,
    has: async (...key) => (await get(...key)) !== undefined,
    list,
    // All arguments except the last one form the key.
    update: (...input) => {
      const params = paramsOf(input.slice(0, -1) as KeyParts)
      return send(`${id}.update`, { params, body: input.at(-1) })
    },
    delete: (...key) =>
      deletes(send<{ deleted: boolean }>(`${id}.delete`, { params: paramsOf(key) })),
    size: async () => (await list()).length,
  }
}

export async function deletes(deletion: Promise<{ deleted: boolean }>): Promise<boolean> {
  return (await orUndefined(deletion))?.deleted ?? false
}

export async function orUndefined<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if (error instanceof MockError && error.code === 'unknown_record') return undefined
    throw error
  }
}

export function reviveDate<T extends { at: string }>({
  at,
  ...value
}: T): Omit<T, 'at'> & { at: Date } {
  return { ...value, at: new Date(at) }
}
