import { Readable } from 'node:stream'
import { expect, it, vi } from 'vitest'
import { eventHandler, nodeEventHandler } from '../../src/events/index.ts'
import { delivery, secret } from '../support/signed.ts'
import { receiver, sleep } from './receiver.ts'

it('reports that a body is not JSON without quoting it', async () => {
  const { receive, errors } = receiver()
  await receive(await delivery('{"patient'))
  expect(errors).toEqual([
    expect.objectContaining({
      code: 'event_invalid',
      path: '',
      message: 'Expected the event to be JSON.',
    }),
  ])
})

it('reports that the nesting of a body is too deep', async () => {
  const { receive, errors } = receiver()
  await receive(await delivery('['.repeat(1001)))
  expect(errors).toEqual([
    expect.objectContaining({ message: 'Expected an event of at most 1000 levels of nesting.' }),
  ])
})

it('reports that the body of a request was read before', async () => {
  const { receive, errors } = receiver()
  const request = await delivery(sleep)
  await request.text()
  await receive(request)
  expect(errors).toEqual([
    expect.objectContaining({
      code: 'body_parsed',
      message:
        'Expected a request whose body has not been read. Call the handler before anything else reads the body, or pass it request.clone().',
    }),
  ])
})

it('reports that another reader read the stream of a request of node:http', async () => {
  const errors: unknown[] = []
  const handler = nodeEventHandler({
    ...{ secrets: secret, on: {}, fallback: () => {} },
    onError: (error) => errors.push(error),
  })
  const request = Readable.from(['{}'])
  await request.toArray()
  const response = { statusCode: 0, setHeader: () => {}, end: vi.fn() }
  await handler(Object.assign(request, { method: 'POST', headers: {} }), response)
  expect(response.statusCode).toBe(500)
  expect(errors).toEqual([expect.objectContaining({ code: 'body_parsed' })])
})

it('works without onError', async () => {
  const receive = eventHandler({ secrets: secret, on: {}, fallback: () => {} })
  expect((await receive(await delivery('{'))).status).toBe(400)
})

it('ignores errors of onError', async () => {
  const { receive } = receiver({
    onError: () => {
      throw new Error('logger away')
    },
  })
  expect((await receive(await delivery('{'))).status).toBe(400)
})

it('rejects invalid secrets and a missing fallback when it is created', () => {
  // An environment variable may be missing.
  for (const secrets of ['', 'secret', 'whsec_', [], [secret, ''], undefined as never]) {
    const rejected = expect.objectContaining({ code: 'secret_invalid' })
    expect(() => receiver({ secrets })).toThrow(rejected)
  }
  // A caller without types may leave it out.
  expect(() => eventHandler({ secrets: secret, on: {} } as never)).toThrow(
    /Expected fallback to be a function/,
  )
})
