import * as z from 'zod/mini'
import { type Definition, unwrap } from '../../../src/contract/schema/definition.ts'
import { MockError } from '../../errors.ts'
import {
  type CollectionName,
  catalogueCollections,
  recordCollections,
} from '../../state/collection-names.ts'
import type { KeyParts } from '../../state/record-key.ts'
import { collectionPlans, type ObjectSchema } from '../../state/records/collection-plans.ts'
import type { Team } from '../../team.ts'
import { type ControlOperation, operation } from '../endpoint.ts'
import { collectionPath, isInCatalogue } from '../paths.ts'
import { deletionSchema } from '../responses.ts'

/** The methods of a collection that the control API calls. */
interface AnyCollection {
  create(input: object): object
  get(...key: KeyParts): object | undefined
  list(where?: object): object[]
  update(...input: [...key: KeyParts, changes: object]): object
  delete(...key: KeyParts): boolean
}

/** The operations on records: list, create, get, update and delete for each collection. */
export const collections: readonly ControlOperation[] = [
  ...recordCollections,
  ...catalogueCollections,
].flatMap(operationsOf)

function operationsOf(name: CollectionName): ControlOperation[] {
  const { noun, key, record, input } = collectionPlans[name]
  const path = collectionPath(name)
  const recordPath = `${path}/${key.map((field) => `{${field}}`).join('/')}`
  const id = path.slice(1).replace('/', '.')
  const params = Object.fromEntries(key.map((field) => [field, z.string()]))
  const keyOf = (values: Record<string, unknown>) => key.map((field) => String(values[field]))
  return [
    operation(
      {
        id: `${id}.list`,
        method: 'GET',
        path,
        summary: `Lists the records of type ${noun}: all, those with the given values, or the last ones`,
        query: z.partial(z.object({ ...plainFields(record), last: z.int() })),
        responses: { 200: z.array(record) },
      },
      // With 0, `slice` returns all records.
      (team, { query: { last = 0, ...where } }) =>
        collectionOf(team, name).list(where).slice(-last),
    ),
    operation(
      {
        id: `${id}.create`,
        method: 'POST',
        path,
        summary: `Creates a ${noun}; omitted fields are generated`,
        body: input ?? z.partial(record),
        responses: { 200: record },
      },
      (team, { body }) => collectionOf(team, name).create(body),
    ),
    operation(
      {
        id: `${id}.get`,
        method: 'GET',
        path: recordPath,
        summary: `Returns a ${noun}`,
        params,
        responses: { 200: record },
      },
      (team, { params }) => collectionOf(team, name).get(...keyOf(params)) ?? throwMissing(noun),
    ),
    operation(
      {
        id: `${id}.update`,
        method: 'PATCH',
        path: recordPath,
        summary: `Updates fields of a ${noun}`,
        params,
        body: z.partial(record),
        responses: { 200: record },
      },
      (team, { params, body }) => collectionOf(team, name).update(...keyOf(params), body),
    ),
    operation(
      {
        id: `${id}.delete`,
        method: 'DELETE',
        path: recordPath,
        summary: `Deletes a ${noun}`,
        params,
        responses: { 200: deletionSchema },
      },
      (team, { params }) => ({ deleted: collectionOf(team, name).delete(...keyOf(params)) }),
    ),
  ]
}

function collectionOf(team: Team, name: CollectionName): AnyCollection {
  const collections = isInCatalogue(name) ? team.catalogue : team
  // The schemas of the plan are those of the collection's records.
  return (collections as unknown as Record<CollectionName, AnyCollection>)[name]
}

/** Returns the fields that a query can filter by: strings, numbers and booleans. */
function plainFields({ shape }: ObjectSchema): Record<string, z.ZodMiniType> {
  const plain = Object.entries(shape).filter(([, field]) => {
    const definition = unwrap(field)?._zod.def as Definition | undefined
    return ['string', 'number', 'boolean'].includes(definition?.type ?? '')
  })
  return Object.fromEntries(plain)
}

function throwMissing(noun: string): never {
  throw new MockError('unknown_record', `No ${noun} has this key.`)
}
