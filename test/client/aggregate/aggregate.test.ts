import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import {
  ConnectionError,
  dateTrunc,
  InternalServerError,
  mean,
  newest,
  PermissionDeniedError,
  past,
  type QueryEachOptions,
  query,
  RequestValidationError,
  rows,
  ServiceClient,
  sum,
  type UserResult,
} from '../../../src/index.ts'
import { ArchiveError, type ParquetArchive, tables } from '../../../src/parquet/index.ts'
import { failureOf } from '../../support/failure.ts'
import { archiveOf, listOf, noise } from '../../support/parquet/archives.ts'
import { type Behaviour, scriptedServer } from '../../support/programs/scripted-server.ts'
import { userId } from '../../support/samples.ts'
import { json } from '../../support/stub-fetch.ts'

const request = {
  timeframe: past(4, 'week', '2025-06-01'),
  queries: [
    query(mean('sleep', 'score'), newest('sleep', 'session_end')).groupBy(
      dateTrunc('sleep', 1, 'week'),
    ),
  ],
}

function mocked(options: Parameters<ReturnType<typeof createMock>['team']>[0] = {}) {
  const team = createMock({ seed: 7 }).team(options)
  return { team, client: new ServiceClient({ ...team.connection(), maxRetries: 0 }) }
}

describe('queryParquet', () => {
  it('returns the same tables as the JSON response', async () => {
    const { client } = mocked()
    const queries = [
      ...request.queries,
      query(sum('activity', 'steps')),
      query(mean('heartrate', 'value')).groupBy(dateTrunc('heartrate', 6, 'hour')),
      query(mean('body', 'weight_kilogram'))
        .groupBy(dateTrunc('body', 1, 'day'))
        .where('weight_kilogram < 0'),
    ]
    const asked = { ...request, queries }
    const { results } = await client.aggregate.query(userId, asked)
    const found = await listOf(tables(await client.aggregate.queryParquet(userId, asked)))
    expect(found.map(({ columns }) => columns)).toEqual(
      results.map(({ table }) => Object.keys(table)),
    )
    for (const table of found) {
      const result = results[table.query]
      await expect(listOf(table.rows())).resolves.toEqual(result && rows(result))
    }
  })

  it('requests Parquet and returns the response', async () => {
    const { team, client } = mocked()
    const { data, response } = await client.aggregate.queryParquet(userId, request).withResponse()
    await data.cancel()
    expect(response.status).toBe(200)
    const { request: seen } = team.journal.last() ?? {}
    expect(seen?.headers['accept']).toBe('application/vnd.service.tar+gzip+parquet')
  })

  it('rejects with the error of its status', async () => {
    const { client } = mocked({ aggregate: false })
    await failureOf(client.aggregate.queryParquet(userId, request), PermissionDeniedError)
  })

  it('sends no invalid request', async () => {
    const { team, client } = mocked()
    const wrong = { ...request, timeframe: past(0, 'week', 'today') }
    const error = await failureOf(
      client.aggregate.queryParquet('me', wrong),
      RequestValidationError,
    )
    expect(error.issues.map(({ path }) => path)).toEqual([
      'user_id',
      'body.timeframe.anchor',
      'body.timeframe.past.value',
    ])
    expect(team.journal.requests()).toHaveLength(0)
  })

  it.each([
    ['truncated', 'archive_damaged'],
    ['traversal', 'archive_unexpected'],
    ['bomb', 'archive_too_large'],
    ['bad_footer', 'parquet_invalid'],
  ] as const)('reports a %s archive as %s', async (archive, code) => {
    const { team, client } = mocked()
    team.faults.add({ on: 'aggregate.queryParquet', then: { archive } })
    const read = async () => listOf(tables(await client.aggregate.queryParquet(userId, request)))
    const error = await failureOf(read(), ArchiveError)
    expect(error).toMatchObject({
      code,
      operation: 'aggregate.queryParquet',
      route: 'POST /aggregate/v1/user/{user_id}/query',
      outcome: 'succeeded',
      attempts: [{ status: 200 }],
    })
    expect(error.requestId).toBeDefined()
    const start = 'aggregate.queryParquet succeeded, but its archive '
    const end = `. (POST /aggregate/v1/user/{user_id}/query, 1 attempt, request ${error.requestId})`
    expect(error.message.slice(0, start.length)).toBe(start)
    expect(error.message.slice(-end.length)).toBe(end)
    expect(error.message).toMatch(/Request (?:it|the archive) again|Increase max/)
    expect(JSON.stringify(error)).not.toContain(userId)
  })

  it('reports a cut body as a failed connection and saves nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parquet-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const bytes = await archiveOf({ name: '0.parquet', body: noise(200_000) })
    const cut: Behaviour = (response) => {
      response.writeHead(200, { 'content-length': String(bytes.byteLength) })
      response.write(bytes.subarray(0, 100_000), () => response.destroy())
    }
    const { baseUrl } = await scriptedServer(cut)
    const client = new ServiceClient({ apiKey: 'key', baseUrl })
    const archive = await client.aggregate.queryParquet(userId, request)
    await failureOf(archive.save(join(folder, 'responses.tar.gz')), ConnectionError)
    await expect(readdir(folder)).resolves.toEqual([])
  })

  it('rejects with the reason of an abort while it is read', async () => {
    const bytes = await archiveOf({ name: '0.parquet', body: noise(200_000) })
    const stall: Behaviour = (response) => {
      response.writeHead(200)
      response.write(bytes.subarray(0, 100_000))
    }
    const { baseUrl } = await scriptedServer(stall)
    const client = new ServiceClient({ apiKey: 'key', baseUrl })
    const controller = new AbortController()
    const reason = new Error('the patient left')
    const archive = await client.aggregate.queryParquet(userId, request, {
      signal: controller.signal,
    })
    const read = async () => {
      for await (const file of archive.files()) {
        for await (const _ of file.stream) controller.abort(reason)
      }
    }
    await expect(read()).rejects.toBe(reason)
  })
})

function idOf(position: number): string {
  return `00000000-0000-4000-8000-${String(position).padStart(12, '0')}`
}

function idsUpTo(count: number): string[] {
  return Array.from({ length: count }, (_, position) => idOf(position))
}

/** A client of a service that responds to each user as told, and keeps who was asked and who was given up. */
function clientOf(respond: (position: number) => Response | Promise<Response>) {
  const asked: number[] = []
  const aborted: number[] = []
  const client = new ServiceClient({
    apiKey: 'key',
    baseUrl: 'https://service.test',
    maxRetries: 0,
    fetch: async ({ url, signal }) => {
      const position = Number(url.slice(-18, -6))
      asked.push(position)
      signal.addEventListener('abort', () => aborted.push(position))
      return respond(position)
    },
  })
  return { client, asked, aborted }
}

const results = { results: [{ table: { index: [], mean: [], newest: [] } }] }
const never = () => new Promise<Response>(() => {})

describe('queryEach', () => {
  it('yields the result or the error of every user', async () => {
    const { client } = clientOf((position) =>
      position === 1 ? json({ detail: 'failed' }, 500) : json(results),
    )
    const users = [...idsUpTo(3), 'somebody']
    const told: object[] = []
    const onProgress = (progress: object) => void told.push(progress)
    const responses = await listOf(
      client.aggregate.queryEach(users, request, { concurrency: 1, onProgress }),
    )
    expect(responses).toEqual([
      { userId: users[0], result: results },
      { userId: users[1], error: expect.any(InternalServerError) },
      { userId: users[2], result: results },
      { userId: 'somebody', error: expect.any(RequestValidationError) },
    ])
    expect(told.at(-1)).toEqual({ succeeded: 2, failed: 2 })
  })

  it('yields archives with the format parquet', async () => {
    const { client } = mocked()
    let read = 0
    const options = { format: 'parquet' } as const
    for await (const { result } of client.aggregate.queryEach(idsUpTo(10), request, options)) {
      if (!result) continue
      for (const table of await listOf(tables(result))) read += table.rowCount
    }
    expect(read).toBe(40)
  })

  it('yields fast users before slow ones and starts the next request meanwhile', async () => {
    const slow = Promise.withResolvers<Response>()
    const { client } = clientOf((position) => (position === 0 ? slow.promise : json(results)))
    const order: string[] = []
    for await (const { userId: user } of client.aggregate.queryEach(idsUpTo(6), request, {
      concurrency: 2,
    })) {
      order.push(user)
      if (order.length === 5) slow.resolve(json(results))
    }
    expect(order).toEqual([1, 2, 3, 4, 5, 0].map(idOf))
  })

  it('sends nothing before it is read, and reads no further ahead than its concurrency', async () => {
    const { client, asked } = clientOf(() => json(results))
    let taken = 0
    function* users() {
      for (const user of idsUpTo(1000)) {
        taken += 1
        yield user
      }
    }
    const responses = client.aggregate.queryEach(users(), request, { concurrency: 3 })
    expect(taken).toBe(0)
    for (let read = 1; read <= 20; read += 1) {
      await responses.next()
      expect(taken).toBeLessThanOrEqual(read + 3)
      expect(asked.length).toBeLessThanOrEqual(read + 2)
    }
    await responses.return(undefined)
    expect(taken).toBeLessThan(30)
  })

  it('aborts running requests and sends no more when the loop ends early', async () => {
    const { client, asked, aborted } = clientOf((position) =>
      position === 0 ? json(results) : never(),
    )
    let isClosed = false
    async function* users() {
      try {
        yield* idsUpTo(100)
      } finally {
        isClosed = true
      }
    }
    for await (const _ of client.aggregate.queryEach(users(), request, { concurrency: 3 })) break
    expect(isClosed).toBe(true)
    expect(asked.length).toBeLessThanOrEqual(3)
    expect(aborted).toEqual(asked.filter((position) => position !== 0))
    await new Promise(setImmediate)
    expect(asked.length).toBeLessThanOrEqual(3)
  })

  it('cancels archives that were not yielded when the loop ends early, and keeps the yielded one', async () => {
    const bytes = await archiveOf({ name: '0.parquet', body: noise(1000) })
    let cancelled = 0
    const { client } = clientOf(() => {
      const body = new ReadableStream(
        {
          pull(controller) {
            controller.enqueue(bytes)
            controller.close()
          },
          cancel() {
            cancelled += 1
          },
        },
        { highWaterMark: 0 },
      )
      return new Response(body)
    })
    const options = { format: 'parquet', concurrency: 3 } as const
    let got: ParquetArchive | undefined
    for await (const { result } of client.aggregate.queryEach(idsUpTo(3), request, options)) {
      got = result
      await new Promise(setImmediate)
      break
    }
    expect(cancelled).toBeGreaterThan(0)
    for await (const file of got?.files() ?? []) {
      await expect(file.bytes()).resolves.toHaveLength(1000)
    }
  })

  it('rejects with the reason of an abort, even while its source waits', async () => {
    const { client, aborted } = clientOf(never)
    async function* users() {
      yield idOf(0)
      await new Promise(() => {})
    }
    const controller = new AbortController()
    const reason = new Error('closing time')
    const responses = client.aggregate.queryEach(users(), request, { signal: controller.signal })
    const next = responses.next()
    await new Promise(setImmediate)
    controller.abort(reason)
    await expect(next).rejects.toBe(reason)
    expect(aborted).toEqual([0])
  })

  it('yields the running requests when its source fails, then throws the error of the source', async () => {
    const { client } = clientOf(() => json(results))
    const broken = new Error('no database')
    async function* users() {
      yield* idsUpTo(2)
      throw broken
    }
    const seen: UserResult<unknown>[] = []
    const walk = async () => {
      for await (const respond of client.aggregate.queryEach(users(), request)) seen.push(respond)
    }
    await expect(walk()).rejects.toBe(broken)
    expect(seen.map(({ userId: user }) => user)).toEqual(idsUpTo(2))
  })

  it('throws an error that concerns every user, and sends nothing', async () => {
    const { client, asked } = clientOf(() => json(results))
    const wrong = { ...request, timeframe: past(0, 'week', '2025-06-01') }
    const walk = listOf(client.aggregate.queryEach(idsUpTo(100), wrong))
    const error = await failureOf(walk, RequestValidationError)
    expect(error.issues.map(({ path }) => path)).toEqual(['body.timeframe.past.value'])
    expect(asked).toEqual([])
  })

  it.each([
    ['concurrency', { concurrency: 0 }],
    ['concurrency', { concurrency: 1.5 }],
    ['format', { format: 'csv' }],
    ['timeout', { timeout: -1 }],
  ])('rejects a wrong %s', async (path, options) => {
    const { client } = clientOf(() => json(results))
    // A caller without types.
    const walk = client.aggregate.queryEach(
      idsUpTo(1),
      request,
      options as QueryEachOptions<'json'>,
    )
    const error = await failureOf(listOf(walk), RequestValidationError)
    expect(error).toMatchObject({ operation: 'aggregate.queryEach', issues: [{ path }] })
  })

  it('continues when an observer throws', async () => {
    const { client } = clientOf(() => json(results))
    const onProgress = () => {
      throw new Error('no terminal')
    }
    const responses = await listOf(client.aggregate.queryEach(idsUpTo(3), request, { onProgress }))
    expect(responses).toHaveLength(3)
  })

  it('yields nothing for an empty source', async () => {
    const { client } = clientOf(() => json(results))
    await expect(listOf(client.aggregate.queryEach([], request))).resolves.toEqual([])
  })
})
