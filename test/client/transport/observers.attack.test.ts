import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { type ClientOptions, type Hooks, ServiceClient } from '../../../src/index.ts'
import { instrument } from '../../../src/otel.ts'
import { failureOf } from '../../support/failure.ts'
import { labTestId, orderId, orderInput, provider, userId } from '../../support/samples.ts'
import { json } from '../../support/stub-fetch.ts'
import { unhandledAfter } from '../../support/unhandled.ts'
import { hidden, service } from '../attacked-client.ts'

describe('an observer changes no call and leaves no unhandled rejection', () => {
  const failure = () => new Error('the observer failed')
  const rejected = () => Promise.reject(failure())
  const observers: [string, () => unknown][] = [
    [
      'throws',
      () => {
        throw failure()
      },
    ],
    ['rejects', rejected],
    ['rejects in another realm', () => runInNewContext('Promise.reject(new Error("elsewhere"))')],
    [
      'returns a thenable that rejects',
      () => ({ then: (_: unknown, no: (e: Error) => void) => no(failure()) }),
    ],
    [
      'returns a thenable that throws',
      () => ({
        then: () => {
          throw failure()
        },
      }),
    ],
    ['returns a thenable that is async and rejects', () => ({ then: rejected })],
    [
      'returns a thenable whose result is a promise that rejects',
      () => ({ then: (resolve: (result: unknown) => void) => resolve(rejected()) }),
    ],
    ['returns a getter that throws', () => Object.defineProperty({}, 'then', hidden())],
    ['returns a promise whose catch is broken', () => Object.assign(rejected(), { catch: 5 })],
  ]

  /** Makes calls that notify every hook and both methods of the logger. */
  async function callAll(options: ClientOptions): Promise<void> {
    const responses = [
      json({}, 503, { 'retry-after': '0' }),
      json([{ ...provider, more: 1 }]),
      json({ order: { id: orderId } }),
    ]
    const fetch = async () => responses.shift() ?? json({})
    const client = new ServiceClient({ ...service, fetch, ...options })
    await expect(client.link.listProviders()).resolves.toHaveLength(1)
    await expect(
      client.orders.create({ ...orderInput, lab_test_id: labTestId }),
    ).resolves.toBeDefined()
  }

  it.each(observers)('when it %s', async (_, observer) => {
    const names = ['request', 'response', 'retry', 'end', 'drift', 'deprecation'] as const
    const hooks = Object.fromEntries(names.map((name) => [name, observer])) as Hooks
    const options = { hooks, logger: { debug: observer as never, warn: observer as never } }
    const unhandled = await unhandledAfter(async () => {
      await callAll(options)
      await callAll(instrument({ ...service, ...options }))
    })
    expect(unhandled).toEqual([])
  })

  it('when apiKey or onBatch returns a thenable that is async and rejects after its result', async () => {
    const thenable = () => ({
      then: async (resolve: (value: string) => void) => {
        resolve('key')
        throw failure()
      },
    })
    const fetch = async () => json({}, 202)
    const client = new ServiceClient({ ...service, apiKey: thenable as never, fetch })
    const unhandled = await unhandledAfter(async () => {
      const recipe = { user_id: userId, access_token: 'a', refresh_token: 'b', expires_at: 1 }
      const { accepted } = await client.link.bulkImportAll('oura', [recipe as never], {
        onBatch: thenable,
      })
      expect(accepted).toBe(1)
    })
    expect(unhandled).toEqual([])
  })

  it('when the getter of a hook or of the logger throws', async () => {
    const names = ['request', 'response', 'retry', 'drift', 'deprecation']
    const hooks = Object.defineProperties(
      {},
      Object.fromEntries(names.map((name) => [name, hidden()])),
    )
    const logger = Object.defineProperties({}, { debug: hidden(), warn: hidden() })
    await callAll({ hooks, logger })
    await callAll(instrument({ ...service, hooks, logger }))
  })

  it('when what fetch throws has getters that throw', async () => {
    const fetch = async () => {
      throw Object.defineProperties(new Error('lost'), {
        code: hidden(),
        cause: hidden(),
        name: hidden(),
      })
    }
    const client = new ServiceClient({ ...service, fetch, maxRetries: 0 })
    expect((await failureOf(client.link.listProviders())).code).toBe('connection_failed')
  })
})
