import type { OperationId } from '../../contract/operations.ts'
import { isObject, present } from '../../shared/narrow.ts'
import { assertSameData } from '../assertions.ts'
import type { RequestFields } from '../http.ts'
import type { TestedService } from '../service.ts'
import type { ObjectForm } from '../shape.ts'

type Body = Record<string, unknown>

/**
 * Values of the wrong type, keyed by the right type. Omits strings that a lenient parser would convert, such as `'3'`
 * for an integer.
 */
const wrongTypes: Record<string, readonly unknown[]> = {
  string: [7, true, { text: 'a' }, ['a']],
  date: [19_800_102, true, { date: '1980-01-02' }, ['1980-01-02']],
  integer: [1.5, 'three', { value: 3 }, [3]],
  boolean: ['often', 7, { value: true }, [true]],
  object: ['text', 7, true, ['text']],
  array: ['text', 7, true],
}

export const invalidDates = [
  '',
  '1980',
  '1980-01',
  '01/02/1980',
  '02-01-1980',
  '1980-1-2',
  '19800102',
  '1980-13-01',
  '1980-00-10',
  '1980-01-00',
  '1980-01-32',
  '1980-04-31',
  '1980-02-30',
  '1981-02-29',
  '1900-02-29',
  '1980-01-02T10:20:30Z',
  'yesterday',
] as const

export const unknownId = '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55'

export const invalidUuids = [
  'not-a-uuid',
  '7',
  'null',
  unknownId.slice(0, -1),
  `${unknownId}5`,
  '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a5g',
  '6f1a3f0e-3a6e-4d0f-8a3e_0d8f2b1c4a55',
] as const

export interface InvalidBody {
  /** The description that follows `to reject` in messages. */
  input: string
  body: Body
}

/**
 * Returns one copy of the body for each combination of field and wrong value.
 *
 * @param form The form of the body, or of the object at `path`, such as `insured.address`. A nested object
 * is replaced as a whole.
 */
export function withWrongTypes(body: Body, form: ObjectForm, path?: string): InvalidBody[] {
  return Object.entries(form).flatMap(([key, expected]) => {
    const name = key.replace(/\?$/, '')
    const field = path === undefined ? name : `${path}.${name}`
    const kind = typeof expected === 'string' ? expected : 'object'
    return present(wrongTypes[kind]).map((value) => ({
      input: `${typeNameOf(value)} for ${field}`,
      body: withValue(body, field, value),
    }))
  })
}

/** Returns two copies of the body for each field: one without the field, and one in which it is null. */
export function withoutEach(body: Body, fields: readonly string[]): InvalidBody[] {
  return fields.flatMap((path) => [
    { input: `a body without ${path}`, body: withValue(body, path, undefined) },
    { input: `null for ${path}`, body: withValue(body, path, null) },
  ])
}

export function withEach(body: Body, path: string, values: readonly unknown[]): InvalidBody[] {
  return values.map((value) => ({
    input: `an invalid ${path} (number ${values.indexOf(value) + 1})`,
    body: withValue(body, path, value),
  }))
}

/** Returns a copy of the body with a changed field. Undefined removes the field. */
export function withValue(body: Body, path: string, value: unknown): Body {
  const [name = '', ...rest] = path.split('.')
  const inner = body[name]
  if (rest.length > 0) {
    return { ...body, [name]: withValue(isObject(inner) ? inner : {}, rest.join('.'), value) }
  }
  const { [name]: _, ...others } = body
  return value === undefined ? others : { ...others, [name]: value }
}

function typeNameOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'number' && !Number.isInteger(value)) return 'a fraction'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

async function readUser(service: TestedService, userId: string): Promise<Record<string, unknown>> {
  return {
    info: service.offers('userInfo') ? await service.setup.userInfo(userId) : null,
    insurances: service.offers('insurances') ? await service.setup.insurances(userId) : [],
    connections: service.offers('connections') ? await service.connections(userId) : [],
  }
}

export function readUsers(service: TestedService, users: readonly string[]): Promise<unknown[]> {
  return Promise.all(users.map((user) => readUser(service, user)))
}

/** Asserts that an action does not change the user's data, as far as the setup can read it. */
export async function assertUnchanged(
  service: TestedService,
  userId: string,
  action: () => Promise<void>,
  input: string,
): Promise<void> {
  const before = await readUser(service, userId)
  await action()
  const after = await readUser(service, userId)
  for (const [name, value] of Object.entries(after)) {
    assertSameData(value, before[name], `the user's ${name} after ${input}`)
  }
}

/** Asserts that each body is rejected and that the user's data does not change. */
export async function assertBodiesRejected(
  service: TestedService,
  operation: OperationId,
  userId: string,
  bodies: readonly InvalidBody[],
): Promise<void> {
  const params: RequestFields['params'] = { user_id: userId }
  const sendAll = async () => {
    for (const { input, body } of bodies) {
      await service.reject(operation, { params, body }, input)
    }
  }
  await assertUnchanged(service, userId, sendAll, 'rejected requests')
}
