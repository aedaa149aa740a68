import { endpoints } from '../../contract/endpoints.ts'
import { createInsurance } from '../../contract/insurance.ts'
import { listProviders } from '../../contract/link.ts'
import type { Endpoint } from '../../contract/schema/endpoint.ts'
import { updateInfo } from '../../contract/users.ts'
import { assertRejected, assertSuccess, assertThat } from '../assertions.ts'
import { defineCases } from '../case.ts'
import type { RequestParts } from '../http.ts'
import {
  aggregateBody,
  insuranceBody,
  orderBody,
  recipe,
  sleepQuery,
  userInfoBody,
} from '../request-bodies.ts'
import type { Service } from '../service.ts'

const nobody = '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55'

/** Bodies that would be accepted, so that the missing key alone is what is refused. */
const bodies: Record<string, unknown> = {
  'insurance.create': insuranceBody(),
  'users.updateInfo': userInfoBody(),
  'link.bulkImport': { provider: 'oura', connections: [recipe(nobody)] },
  'labTests.listOrderSetMarkers': { lab_test_ids: [nobody] },
  'orders.bookPhlebotomyAppointment': { booking_key: 'none' },
  'orders.create': orderBody(nobody, { order_set: { lab_test_ids: [nobody] } }),
  'aggregate.query': aggregateBody([sleepQuery(['mean'])]),
  'aggregate.queryParquet': aggregateBody([sleepQuery(['mean'])]),
}

function requestTo({ id, params = {} }: Endpoint): RequestParts {
  const names = Object.keys(params)
  const values = names.map((name) => [name, name === 'provider' ? 'manual' : nobody])
  const body = bodies[id]
  return {
    params: Object.fromEntries(values),
    ...(body === undefined ? {} : { body }),
    ...(id === 'summaries.list' ? { query: { start_date: '2025-05-01' } } : {}),
  }
}

async function assertAllRejected(service: Service, effect: 'read' | 'change', what: string) {
  for (const endpoint of endpoints as readonly Endpoint[]) {
    const reads = endpoint.effect === 'read'
    if (reads !== (effect === 'read')) continue
    const response = await service.call(endpoint, requestTo(endpoint))
    assertRejected(response, what)
    assertThat(
      response.status !== 404 && response.status !== 422,
      `Expected ${response.operation} to refuse ${what} for the key's sake, found status ${response.status}.`,
    )
  }
}

export const serviceCases = defineCases({
  '5/key-of-reads': {
    title: 'Asks every call that reads for the API key',
    rules: ['5/header', '5/team-key', '4/key'],
    readOnly: true,
    presumes: 'which statuses refuse a key: none of 404 and 422',
    async run(service) {
      await assertAllRejected(service.withoutKey(), 'read', 'a call without a key')
    },
  },
  '5/key-of-changes': {
    title: 'Asks every call that changes something for the API key',
    rules: ['5/header', '5/team-key', '4/key'],
    presumes: 'which statuses refuse a key: none of 404 and 422',
    async run(service) {
      await assertAllRejected(service.withoutKey(), 'change', 'a call without a key')
    },
  },
  '5/wrong-key': {
    title: 'Refuses a key of no team',
    rules: ['5/header', '5/team-key'],
    readOnly: true,
    async run(service) {
      service.needsWrongKeys()
      const key = 'sk_of_no_team'
      for (const headers of [
        { 'x-service-api-key': key },
        { 'x-service-api-key': '' },
        { authorization: `Bearer ${key}` },
      ]) {
        const stranger = service.withoutKey(headers)
        assertRejected(await stranger.call(listProviders), 'a key of no team')
      }
    },
  },
  '5/right-key': {
    title: 'Takes the API key in the header x-service-api-key',
    rules: ['5/header'],
    readOnly: true,
    async run(service) {
      assertSuccess(await service.call(listProviders))
    },
  },
  '4/json': {
    title: 'Answers JSON',
    rules: ['4/json'],
    readOnly: true,
    async run(service) {
      const { headers, json } = assertSuccess(await service.call(listProviders))
      const type = headers.get('content-type') ?? ''
      assertThat(type.startsWith('application/json'), 'Expected the content type application/json.')
      assertThat(json !== undefined, 'Expected a body of JSON.')
    },
  },
  '4/malformed': {
    title: 'Refuses a body that is no JSON',
    rules: ['4/json'],
    readOnly: true,
    async run(service) {
      const params = { user_id: nobody }
      for (const endpoint of [createInsurance, updateInfo]) {
        assertRejected(
          await service.call(endpoint, { params, body: '{"first_name":' }),
          'malformed JSON',
        )
        assertRejected(await service.call(endpoint, { params, body: '[]' }), 'a list as the body')
      }
    },
  },
  '7/success': {
    title: 'Answers the calls that read with a success status',
    rules: ['7/success'],
    readOnly: true,
    async run(service) {
      for (const path of ['/v2/providers', '/v3/lab_tests/markers', '/v3/lab_test']) {
        assertSuccess(await service.send('GET', path))
      }
    },
  },
  '9/path-prefix': {
    title: 'Has the version in the path prefix',
    rules: ['9/prefix'],
    readOnly: true,
    async run(service) {
      for (const path of ['/providers', '/v3/providers', '/v2/lab_tests/markers']) {
        assertRejected(await service.send('GET', path), 'a path without its version')
      }
    },
  },
})
