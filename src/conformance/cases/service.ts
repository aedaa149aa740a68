import { endpoints } from '../../contract/endpoints.ts'
import { createInsurance } from '../../contract/insurance.ts'
import { listProviders } from '../../contract/link.ts'
import type { Endpoint } from '../../contract/schema/endpoint.ts'
import { updateInfo } from '../../contract/users.ts'
import { headers as wireHeaders } from '../../contract/wire.ts'
import { assertRejected, assertSuccess, assertThat } from '../assertions.ts'
import { defineCases } from '../case.ts'
import type { RequestFields } from '../http.ts'
import {
  aggregateBody,
  insuranceBody,
  orderBody,
  recipe,
  sleepQuery,
  userInfoBody,
} from '../request-bodies.ts'
import type { TestedService } from '../service.ts'

const unknownId = '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55'

/** Valid bodies, so that the missing key is the only reason for a rejection. */
const bodies: Record<string, unknown> = {
  'insurance.create': insuranceBody(),
  'users.updateInfo': userInfoBody(),
  'link.bulkImport': { provider: 'oura', connections: [recipe(unknownId)] },
  'labTests.listOrderSetMarkers': { lab_test_ids: [unknownId] },
  'orders.bookPhlebotomyAppointment': { booking_key: 'none' },
  'orders.create': orderBody(unknownId, { order_set: { lab_test_ids: [unknownId] } }),
  'aggregate.query': aggregateBody([sleepQuery(['mean'])]),
  'aggregate.queryParquet': aggregateBody([sleepQuery(['mean'])]),
}

function requestTo({ id, params = {} }: Endpoint): RequestFields {
  const names = Object.keys(params)
  const values = names.map((name) => [name, name === 'provider' ? 'manual' : unknownId])
  const body = bodies[id]
  return {
    params: Object.fromEntries(values),
    ...(body === undefined ? {} : { body }),
    ...(id === 'summaries.list' ? { query: { start_date: '2025-05-01' } } : {}),
  }
}

async function assertAllRejected(service: TestedService, effect: 'read' | 'change', input: string) {
  for (const endpoint of endpoints as readonly Endpoint[]) {
    const reads = endpoint.effect === 'read'
    if (reads !== (effect === 'read')) continue
    const response = await service.call(endpoint, requestTo(endpoint))
    assertRejected(response, input)
    assertThat(
      response.status !== 404 && response.status !== 422,
      `Expected ${response.operation} to reject ${input} because of the key, found status ${response.status}.`,
    )
  }
}

export const serviceCases = defineCases({
  '5/key-of-reads': {
    title: 'Requires the API key on every read-only call',
    rules: ['5/header', '5/team-key', '4/key'],
    readOnly: true,
    assumption: 'a missing key is rejected with another status than 404 and 422',
    async run(service) {
      await assertAllRejected(service.withoutKey(), 'read', 'a call without a key')
    },
  },
  '5/key-of-changes': {
    title: 'Requires the API key on every call that changes data',
    rules: ['5/header', '5/team-key', '4/key'],
    assumption: 'a missing key is rejected with another status than 404 and 422',
    async run(service) {
      await assertAllRejected(service.withoutKey(), 'change', 'a call without a key')
    },
  },
  '5/wrong-key': {
    title: 'Rejects an unknown API key',
    rules: ['5/header', '5/team-key'],
    readOnly: true,
    async run(service) {
      service.requireStrictKeys()
      const key = 'sk_unknown'
      for (const headers of [
        { [wireHeaders.apiKey]: key },
        { [wireHeaders.apiKey]: '' },
        { authorization: `Bearer ${key}` },
      ]) {
        const caller = service.withoutKey(headers)
        assertRejected(await caller.call(listProviders), 'an unknown API key')
      }
    },
  },
  '5/right-key': {
    title: `Accepts the API key in the header ${wireHeaders.apiKey}`,
    rules: ['5/header'],
    readOnly: true,
    async run(service) {
      assertSuccess(await service.call(listProviders))
    },
  },
  '4/json': {
    title: 'Returns JSON',
    rules: ['4/json'],
    readOnly: true,
    async run(service) {
      const { headers, json } = assertSuccess(await service.call(listProviders))
      const type = headers.get('content-type') ?? ''
      assertThat(type.startsWith('application/json'), 'Expected the content type application/json.')
      assertThat(json !== undefined, 'Expected a JSON body.')
    },
  },
  '4/malformed': {
    title: 'Rejects a body that is not JSON',
    rules: ['4/json'],
    readOnly: true,
    async run(service) {
      const params = { user_id: unknownId }
      for (const endpoint of [createInsurance, updateInfo]) {
        assertRejected(
          await service.call(endpoint, { params, body: '{"first_name":' }),
          'malformed JSON',
        )
        assertRejected(await service.call(endpoint, { params, body: '[]' }), 'an array as the body')
      }
    },
  },
  '7/success': {
    title: 'Returns a success status for read-only calls',
    rules: ['7/success'],
    readOnly: true,
    async run(service) {
      for (const path of ['/v2/providers', '/v3/lab_tests/markers', '/v3/lab_test']) {
        assertSuccess(await service.send('GET', path))
      }
    },
  },
  '9/path-prefix': {
    title: 'Requires the version in the path prefix',
    rules: ['9/prefix'],
    readOnly: true,
    async run(service) {
      for (const path of ['/providers', '/v3/providers', '/v2/lab_tests/markers']) {
        assertRejected(await service.send('GET', path), 'a path without its version')
      }
    },
  },
})
