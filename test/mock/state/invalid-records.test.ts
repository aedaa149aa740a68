import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import type * as z from 'zod/mini'
import { createMock, type Team } from '../../../mock/index.ts'
import { collectionsOf } from '../../../mock/state/collections/collections.ts'
import type { CollectionTypes } from '../../../mock/state/records/definitions.ts'
import { definitions } from '../../../mock/state/records/definitions.ts'
import type * as health from '../../../mock/state/records/health-rows.ts'
import type * as insurance from '../../../mock/state/records/insurance.ts'
import type * as labTests from '../../../mock/state/records/lab-tests.ts'
import type * as link from '../../../mock/state/records/link.ts'
import type * as orders from '../../../mock/state/records/orders.ts'
import { type CollectionName, collectionNames } from '../../../mock/state/records/paths.ts'
import { keyPartsOf } from '../../../mock/state/records/record-key.ts'
import type * as users from '../../../mock/state/records/users.ts'

type AnyRecord = Record<string, unknown>

/** What a record needs that is not generated, by collection. */
const needed: Partial<Record<CollectionName, (team: Team) => AnyRecord>> = {
  insurances: (team) => ({ user_id: team.users.create().user_id }),
  connections: (team) => ({ user_id: team.users.create().user_id, provider: 'oura' }),
  data: (team) => ({ user_id: team.users.create().user_id, resource: 'sleep' }),
}

/** Creates a record in a collection of a new team. */
function recordIn(name: CollectionName) {
  const team = createMock({ seed: 3 }).team()
  const collection = collectionsOf(team.state)[name]
  const input = needed[name]?.(team) ?? {}
  return { team, collection, input, record: collection.create(input) }
}

/** No field of the records can have it, apart from those that can have any value. */
const impossible = [[]]

function fieldsOf(schema: { shape: object }): string[] {
  return Object.keys(schema.shape).filter((field) => field !== 'event_data')
}

/** An error that names a field, or what an unknown value of the field is. */
function refusal(field: string) {
  const message = expect.stringMatching(
    new RegExp(`${field}|Unknown ${field.replace(/_|s$/, '.?')}`),
  )
  return expect.objectContaining({ name: 'MockError', code: 'invalid_option', message })
}

describe.each(collectionNames)('an invalid record of %s', (name) => {
  it('is not created', () => {
    const { team, collection, input } = recordIn(name)
    const before = team.snapshot()
    for (const field of fieldsOf(definitions[name].input)) {
      const create = () => collection.create({ ...input, [field]: impossible })
      expect(create, field).toThrow(refusal(field === 'connections' ? 'provider' : field))
    }
    expect(team.snapshot()).toEqual(before)
  })

  it('does not replace a valid one', () => {
    const { team, collection, record } = recordIn(name)
    const before = team.snapshot()
    const key = keyPartsOf(name, record)
    for (const field of fieldsOf(definitions[name].record)) {
      const changes = { [field]: impossible }
      expect(() => collection.update(...key, changes), field).toThrow(refusal(field))
      expect(() => collection.put({ ...record, ...changes }), field).toThrow(refusal(field))
    }
    expect(team.snapshot()).toEqual(before)
  })

  it('does not come from undefined fields', () => {
    const { team, collection, input, record } = recordIn(name)
    collection.delete(...keyPartsOf(name, record))
    const fields = fieldsOf(definitions[name].input).map((field) => [field, undefined])
    const key = keyPartsOf(name, collection.create({ ...Object.fromEntries(fields), ...input }))
    for (const field of fieldsOf(definitions[name].record)) {
      try {
        collection.update(...key, { [field]: undefined })
      } catch (error) {
        expect(error).toEqual(refusal(field))
      }
    }
    expect(() => createMock().team().restore(team.snapshot())).not.toThrow()
  })
})

it('names the place in a part of a record', () => {
  const team = createMock().team()
  const { user_id } = team.users.create()
  const info = { first_name: 7 as never }
  expect(() => team.users.create({ info })).toThrow(
    'Expected info.first_name of users.create to be a string.',
  )
  expect(() => team.catalogue.labs.update(6, { name: null as never })).toThrow(
    'Expected name of labs.update to be a string.',
  )
  const values = { session_start: new Date(0) as never }
  expect(() => team.data.create({ user_id, resource: 'sleep', values })).toThrow(
    'Expected values.session_start to be a finite number, a string or null, but got new Date("1970-01-01T00:00:00.000Z").',
  )
})

it('has interfaces that equal their schemas', () => {
  type Fields<T> = { [Name in keyof T]: Exclude<T[Name], undefined> }
  type TypeOf<Schema> = Schema extends z.ZodMiniType<infer Out> ? Fields<Out> : never

  expectTypeOf<TypeOf<typeof users.User>>().toEqualTypeOf<Fields<users.User>>()
  expectTypeOf<TypeOf<typeof link.Connection>>().toEqualTypeOf<Fields<link.Connection>>()
  expectTypeOf<TypeOf<typeof link.TeamProvider>>().toEqualTypeOf<Fields<link.TeamProvider>>()
  expectTypeOf<TypeOf<typeof link.Payor>>().toEqualTypeOf<Fields<link.Payor>>()
  expectTypeOf<TypeOf<typeof orders.LabOrder>>().toEqualTypeOf<Fields<orders.LabOrder>>()
  expectTypeOf<TypeOf<typeof insurance.UserInsurance>>().toEqualTypeOf<
    Fields<insurance.UserInsurance>
  >()
  expectTypeOf<TypeOf<typeof labTests.CatalogueLab>>().toEqualTypeOf<
    Fields<labTests.CatalogueLab>
  >()
  expectTypeOf<TypeOf<typeof labTests.LabAccount>>().toEqualTypeOf<Fields<labTests.LabAccount>>()
  expectTypeOf<TypeOf<typeof labTests.CatalogueLabTest>>().toEqualTypeOf<
    Fields<labTests.CatalogueLabTest>
  >()
  expectTypeOf<TypeOf<typeof labTests.CatalogueMarker>>().toEqualTypeOf<
    Fields<labTests.CatalogueMarker>
  >()
  // The values of a row are read-only.
  expectTypeOf<TypeOf<typeof health.HealthRow>>().toExtend<Fields<health.HealthRow>>()
  expectTypeOf<keyof CollectionTypes>().toEqualTypeOf<CollectionName>()
})

it('names the missing function where structuredClone does not exist', () => {
  const team = createMock().team()
  vi.stubGlobal('structuredClone', undefined)
  expect(() => team.users.create({})).toThrow('structuredClone is missing')
  vi.unstubAllGlobals()
})
