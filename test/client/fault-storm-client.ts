// Run by itself, as a process of its own: makes the calls of a storm and reports how each one ended.
import { type Call, ServiceClient, ServiceError } from '../../src/index.ts'
import { operations, otherOperations } from '../support/operations.ts'

/** A call to make. */
export interface Job {
  id: number
  operation: string
  timeout: number
}

/** What the process is sent. */
export interface Storm {
  baseUrl: string
  jobs: Job[]
}

/** How a call ended. */
export interface End {
  id: number
  /** `resolved`, or the name of the error. */
  how: string
  isServiceError: boolean
  outcome?: string
  /** The id that the response carries, which the server copies from the request. */
  respondedId?: string | null
}

export interface StormReport {
  ends: End[]
  /** What still holds the process after every call ended and idle connections are closed. */
  held: string[]
}

const all = { ...operations, ...otherOperations }

// Random values below their range make the first wait between attempts 50 ms.
Math.random = () => -0.8

process.once('message', async ({ baseUrl, jobs }: Storm) => {
  const client = new ServiceClient({ apiKey: 'sk_test', baseUrl, maxRetries: 1 })
  const ends = await inParallel(client, jobs, 48)
  await closeIdleConnections()
  const held = process.getActiveResourcesInfo().filter((name) => /Timeout|TCP|TLS/.test(name))
  process.send?.({ ends, held } satisfies StormReport, () => process.disconnect())
})

async function inParallel(client: ServiceClient, jobs: Job[], width: number): Promise<End[]> {
  const ends: End[] = []
  const left = jobs.values()
  const work = async () => {
    for (const job of left) ends.push(await endOf(client, job))
  }
  await Promise.all(Array.from({ length: width }, work))
  return ends
}

async function endOf(client: ServiceClient, { id, operation, timeout }: Job): Promise<End> {
  try {
    const headers = { 'x-storm': String(id) }
    const call = all[operation]?.run(client, { headers, timeout }) as Call<unknown>
    const { data, response } = await call.withResponse()
    await readWhole(data)
    return {
      id,
      how: 'resolved',
      isServiceError: false,
      respondedId: response.headers.get('x-storm'),
    }
  } catch (error) {
    const { name } = Object(error) as Error
    const isServiceError = error instanceof ServiceError
    return { id, how: name, isServiceError, ...(isServiceError ? { outcome: error.outcome } : {}) }
  }
}

/** A download holds its connection until it is read. */
async function readWhole(data: unknown): Promise<void> {
  if (typeof data !== 'object' || data === null || !('stream' in data)) return
  await new Response(data.stream as ReadableStream).arrayBuffer()
}

/** Closes the connections that the platform's fetch keeps; waits for ever when a request is still under way. */
async function closeIdleConnections(): Promise<void> {
  const dispatcher = Symbol.for('undici.globalDispatcher.1')
  await (globalThis as unknown as Record<symbol, { close(): Promise<void> }>)[dispatcher]?.close()
}
