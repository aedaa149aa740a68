import { describe, expect, it, vi } from 'vitest'
import type * as z from 'zod/mini'
import { endpoints, type OperationEndpoint } from '../../../src/contract/endpoints.ts'
import type { OperationId } from '../../../src/contract/operations.ts'
import { strictFormOf } from '../../../src/contract/schema-tools/schema.ts'
import { definitionInside, definitionOf, unwrap } from '../../../src/contract/schema-tools/walk.ts'
import {
  type ClientOptions,
  type DriftEvent,
  past,
  query,
  ResponseValidationError,
  ServiceClient,
  sum,
} from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'
import { labTest, type OperationCall, operationCalls, summary } from '../../support/operations.ts'
import { archiveOf, listOf, numbers } from '../../support/parquet/archives.ts'
import { insurance, insuranceInput, provider, userId } from '../../support/samples.ts'
import { json } from '../../support/stub-fetch.ts'

/** The recorded response of an operation with several paths or none in the client, and the call that gets it. */
const recordings: Record<string, OperationCall> = {
  'GET /v3/lab_tests': {
    good: [labTest],
    run: (client) => client.request('GET', '/v3/lab_tests'),
  },
  ...Object.fromEntries(
    (['activity', 'body', 'meal', 'profile', 'sleep', 'workouts'] as const).map((resource) => [
      `GET /v2/summary/${resource}/{user_id}`,
      {
        good:
          resource === 'profile'
            ? { ...summary, date: '2025-06-01', height: 170 }
            : { [resource === 'meal' ? 'meals' : resource]: [summary] },
        run: (client: ServiceClient) =>
          client.summaries.list(userId, resource, { start_date: '2025-06-01' }),
      },
    ]),
  ),
}

/** A place in a response: its path, its schema there, and whether it may be absent. */
interface Place {
  path: (string | number)[]
  schema: z.ZodMiniType
  isOptional: boolean
  isNullable: boolean
}

/** Walks schema and recorded value together, down to every field. */
function places(schema: z.ZodMiniType, value: unknown, path: (string | number)[] = []): Place[] {
  const def = definitionInside(schema)
  if (def.element && Array.isArray(value)) {
    const item = { path: [...path, 0], schema: def.element, isOptional: false, isNullable: false }
    return [item, ...places(def.element, value[0], item.path)]
  }
  if (!def.shape || typeof value !== 'object' || value === null) return []
  return Object.entries(def.shape).flatMap(([name, field]) => {
    const here = [...path, name]
    const types = wrappers(field)
    const place = {
      path: here,
      schema: field,
      isOptional: types.includes('optional'),
      isNullable: types.includes('nullable'),
    }
    return [place, ...places(field, (value as Record<string, unknown>)[name], here)]
  })
}

function wrappers(schema: z.ZodMiniType): string[] {
  const { type, innerType } = definitionOf(schema)
  return innerType ? [type, ...wrappers(innerType)] : []
}

/** A copy with one place changed; `undefined` removes it. */
function changed(body: unknown, path: (string | number)[], value: unknown): unknown {
  const copy = structuredClone(body)
  const parent = path
    .slice(0, -1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], copy)
  const key = path.at(-1) as string
  if (value === undefined) delete (parent as Record<string, unknown>)[key]
  else (parent as Record<string, unknown>)[key] = value
  return copy
}

const checked = endpoints.filter(
  (endpoint) => endpoint.responses[200] !== 'binary' && endpoint.id !== 'labTests.listAll',
)

function recordingOf({ id, method, path }: OperationEndpoint): OperationCall {
  const calls: Partial<Record<OperationId, OperationCall>> = operationCalls
  const recording = recordings[`${method} ${path}`] ?? calls[id]
  if (!recording) throw new Error(`No recording of ${id}`)
  return recording
}

function clientFor(body: unknown, events?: DriftEvent[], validation?: 'report' | 'off') {
  return new ServiceClient({
    apiKey: 'key',
    baseUrl: 'https://service.test',
    fetch: async () => json(body),
    ...(validation ? { validation } : {}),
    ...(events ? { hooks: { drift: (event) => void events.push(event) } } : {}),
  })
}

it('has a recording of every response of the contract, and each is valid', async () => {
  for (const endpoint of endpoints.filter(({ responses }) => responses[200] !== 'binary')) {
    const { good: body, run: call } = recordingOf(endpoint)
    await expect(call(clientFor(body)), endpoint.path).resolves.toBeDefined()
  }
})

describe.each(
  checked.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
)('%s', (_, endpoint) => {
  const { good: body, run: call } = recordingOf(endpoint)
  const schema = endpoint.responses[200] as z.ZodMiniType // `binary` was filtered out
  const all = places(schema, body)

  it('never throws for an additional field', async () => {
    const objects = new Set(['', ...all.map(({ path }) => path.slice(0, -1).join('/'))])
    for (const object of objects) {
      const path =
        object === '' ? [] : object.split('/').map((key) => (/^\d+$/.test(key) ? Number(key) : key))
      if (path.length === 0 && Array.isArray(body)) continue
      const mutated = changed(body, [...path, 'added_tomorrow'], { nested: ['x'] })
      await expect(call(clientFor(mutated)), object).resolves.toBeDefined()
    }
  })

  it('never throws for an unknown value of an open enumeration, and reports it as drift', async () => {
    const open = all.filter(
      ({ schema: field }) => strictFormOf(unwrap(field) ?? field)?.kind === 'value',
    )
    for (const { path } of open) {
      const events: DriftEvent[] = []
      await expect(call(clientFor(changed(body, path, 'tomorrow'), events))).resolves.toBeDefined()
      expect(events, path.join('.')).toMatchObject([{ kind: 'value', operation: endpoint.id }])
      expect(JSON.stringify(events)).not.toContain('tomorrow')
    }
  })

  it('never throws for an optional field that is null or missing', async () => {
    for (const { path, isOptional, isNullable } of all) {
      if (isNullable)
        await expect(
          call(clientFor(changed(body, path, null))),
          path.join('.'),
        ).resolves.toBeDefined()
      if (isOptional)
        await expect(
          call(clientFor(changed(body, path, undefined))),
          path.join('.'),
        ).resolves.toBeDefined()
    }
  })

  it('throws and names the path when a required field is missing or has the wrong type', async () => {
    for (const { path, isOptional, schema: field } of all) {
      const shown = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')
      const wrong = isOptional
        ? []
        : [undefined, { not: 'this' }].filter((value) => value === undefined || !isObject(field))
      for (const value of wrong) {
        const mutated = changed(body, path, value)
        const error = await failureOf(call(clientFor(mutated)), ResponseValidationError)
        expect(error.outcome).toBe('succeeded')
        expect(error.issues.map((issue) => issue.path).join()).toContain(shown)
        expect(error.body).toEqual(JSON.parse(JSON.stringify(mutated)))
      }
    }
  })
})

function isObject(schema: z.ZodMiniType): boolean {
  return ['object', 'record'].includes(definitionInside(schema).type ?? '')
}

it('returns the response itself, including unknown fields', async () => {
  const body = { ...insurance, added: { deep: [1] }, insured: { ...insurance.insured, more: true } }
  await expect(clientFor(body).insurance.create('user', insuranceInput)).resolves.toEqual(body)
})

it('reports the same drift once', async () => {
  const events: DriftEvent[] = []
  const client = clientFor(
    [
      provider,
      { ...provider, auth_type: 'telepathy', more: 1 },
      { ...provider, auth_type: 'smoke', more: 2 },
    ],
    events,
  )
  await client.link.listProviders()
  await client.link.listProviders()
  expect(events.map(({ kind, path }) => [kind, path])).toEqual([
    ['value', 'response[].auth_type'],
    ['field', 'response[].*'],
  ])
})

it('reports schema violations and returns the response with `report`', async () => {
  const events: DriftEvent[] = []
  const body = [{ ...provider, name: 7 }]
  await expect(clientFor(body, events, 'report').link.listProviders()).resolves.toEqual(body)
  expect(events).toContainEqual({
    operation: 'link.listProviders',
    route: 'GET /v2/providers',
    kind: 'invalid',
    path: 'response[].name',
    expected: 'a string',
  })
})

/** Requests an archive for two queries from a service that returns one with a single file. */
async function incompleteArchive(options: ClientOptions) {
  const archive = await archiveOf({ name: '0.parquet', body: numbers(1) })
  const fetch = async () => new Response(archive)
  const client = new ServiceClient({
    apiKey: 'key',
    baseUrl: 'https://service.test',
    fetch,
    ...options,
  })
  const steps = query(sum('activity', 'steps'))
  const asked = { timeframe: past(1, 'week', '2025-06-01'), queries: [steps, steps] }
  return client.aggregate.queryParquet(userId, asked)
}

it('reports an archive with a wrong number of files once it is read, with `report`', async () => {
  const drift = vi.fn()
  const archive = await incompleteArchive({ validation: 'report', hooks: { drift } })
  expect(drift).not.toHaveBeenCalled()
  await expect(listOf(archive.files())).resolves.toHaveLength(1)
  expect(drift).toHaveBeenCalledExactlyOnceWith({
    operation: 'aggregate.queryParquet',
    route: 'POST /aggregate/v1/user/{user_id}/query',
    kind: 'invalid',
    path: 'response',
    expected: 'one file for each query (2)',
  })
})

it('rejects an archive with a wrong number of files by default', async () => {
  const archive = await incompleteArchive({})
  await expect(listOf(archive.files())).rejects.toMatchObject({ code: 'archive_unexpected' })
})

it('checks nothing with `off`', async () => {
  await expect(clientFor({ any: 'thing' }, undefined, 'off').link.listProviders()).resolves.toEqual(
    {
      any: 'thing',
    },
  )
})

it('does not let a throwing hook change an outcome', async () => {
  const client = new ServiceClient({
    apiKey: 'key',
    baseUrl: 'https://service.test',
    fetch: async () => json([{ ...provider, more: 1 }]),
    hooks: {
      drift: () => {
        throw new Error('the hook broke')
      },
      response: (async () => Promise.reject(new Error('so did this one'))) as () => void,
    },
  })
  await expect(client.link.listProviders()).resolves.toHaveLength(1)
})
