import { expect, it } from 'vitest'
import { ServiceClient, ServiceError } from '../../src/index.ts'
import { operations, otherOperations } from '../support/operations.ts'
import { json } from '../support/stub-fetch.ts'

type Responder = (request: Request) => Response | Promise<Response>

function failWith(code: string, syscall: string): Responder {
  return () => {
    const cause = Object.assign(new Error(`${syscall} ${code} 10.0.0.1`), { code, syscall })
    throw new TypeError('fetch failed', { cause })
  }
}

const stall: Responder = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

const details = [
  {
    loc: ['body', 'dob'],
    type: 'date_parsing',
    msg: 'Input should be a valid date',
    input: '30/02/1980',
  },
  {
    loc: ['query', 'start_date'],
    type: 'missing',
    msg: 'Field required',
    input: null,
  },
]

/** How the service fails, by the name of the golden file. */
const failures: Record<string, Responder> = {
  refused: failWith('ECONNREFUSED', 'connect'),
  reset: failWith('ECONNRESET', 'read'),
  timeout: stall,
  '400': () => json({ detail: 'Invalid or expired booking key' }, 400),
  '401': () => json({ detail: 'Invalid API key' }, 401),
  '403': () => json({ detail: 'Aggregation is not enabled for this team' }, 403),
  '404': () => json({ detail: 'No such user' }, 404),
  '409': () => json({ detail: 'The order already has an appointment' }, 409),
  '422': () => json({ detail: details }, 422),
  '429': () => json({ detail: 'At most 3 requests per minute' }, 429, { 'retry-after': '3600' }),
  '500': () => new Response('The appointment could not be booked', { status: 500 }),
  malformed: () => new Response('<html><body>Welcome to the proxy</body></html>'),
  schema: () => json({ results: 'none', data: 7, markers: null, success: 'yes' }),
}

const all = Object.entries({ ...operations, ...otherOperations })

async function messageOf(
  run: (client: ServiceClient, options: { timeout: number }) => PromiseLike<unknown>,
  respond: Responder,
  exposeDetail: boolean,
): Promise<string> {
  const client = new ServiceClient({
    apiKey: 'key',
    baseUrl: 'https://service.test',
    fetch: async (request) => respond(request),
    maxRetries: 0,
    exposeDetail,
  })
  const timeout = respond === stall ? 1 : 1000
  const error = await Promise.resolve(run(client, { timeout })).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error === undefined) return 'no error: the content is not checked'
  expect(error).toBeInstanceOf(ServiceError)
  const { stack = '' } = error as ServiceError
  expect(stack).toContain('messages.test.ts')
  return stack.slice(0, stack.indexOf('\n'))
}

it.each(Object.entries(failures))('prints readable errors: %s', async (kind, respond) => {
  const lines: string[] = []
  for (const [name, { run }] of all) {
    const usual = await messageOf(run, respond, false)
    const exposed = await messageOf(run, respond, true)
    const also = exposed === usual ? [] : [`  with exposeDetail: ${exposed}`]
    lines.push(name, `  ${usual}`, ...also, '')
  }
  await expect(lines.join('\n')).toMatchFileSnapshot(`messages/${kind}.txt`)
})
