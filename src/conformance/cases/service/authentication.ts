import { isObject } from '../../../shared/narrow.ts'
import { assertSameData, assertSuccess } from '../../assertions.ts'
import { readUsers } from '../../bodies/invalid-bodies.ts'
import { defineCases } from '../../case.ts'
import type { RequestFields } from '../../http.ts'
import { keyHeader } from '../../operations.ts'
import type { TestedService } from '../../service.ts'
import {
  assertCallSucceeds,
  casesOf,
  type OperationCall,
  operationCalls,
  usersOf,
} from './valid-calls.ts'

/** Returns the key in headers other than the one in the specification. */
function otherHeaders(key: string): Record<string, string> {
  return {
    authorization: `Bearer ${key}`,
    'x-api-key': key,
    'api-key': key,
    'x-service-key': key,
    'x-service-api-token': key,
    'service-api-key': key,
    'x-service-apikey': key,
    'x-service-api_key': key,
    'x-api-service-key': key,
    'x-team-api-key': key,
    'x-access-token': key,
    'x-auth-token': key,
    'x-authorization': key,
    apikey: key,
    'proxy-authorization': `Bearer ${key}`,
    cookie: `${keyHeader}=${key}; api_key=${key}`,
  }
}

function otherParameters(key: string): Record<string, string> {
  return {
    [keyHeader]: key,
    x_service_api_key: key,
    service_api_key: key,
    api_key: key,
    'api-key': key,
    apiKey: key,
    apikey: key,
    key,
    token: key,
    access_token: key,
  }
}

/** Returns a case that sends a request without the key, with invalid keys and with the key in the wrong place. */
function keyCase(call: OperationCall) {
  return {
    title: `Requires the API key to ${call.purpose}`,
    rules: ['5/header', '5/team-key', '4/key'],
    async run(service: TestedService) {
      const request = await call.prepare(service)
      const { apiKey } = service
      const users = usersOf(request)
      const before = await readUsers(service, users)
      const reject = (headers: Record<string, string>, fields: RequestFields, input: string) =>
        service.withoutKey(headers).reject(call.route, fields, input)
      await reject({}, request, 'a call without a key')
      await reject({ [keyHeader]: '' }, request, 'an empty key')
      const query = { ...request.query, ...otherParameters(apiKey) }
      await reject(
        otherHeaders(apiKey),
        { ...request, query },
        'a key only in other headers and parameters',
      )
      if (isObject(request.body)) {
        const body = { ...request.body, ...otherParameters(apiKey) }
        await reject({}, { ...request, body }, 'a key only in the body')
      }
      if (!service.acceptsAnyKey) {
        await reject({ [keyHeader]: 'sk_unknown' }, request, 'an unknown key')
      }
      assertSameData(
        await readUsers(service, users),
        before,
        "the users' data after calls without the key",
      )
      await assertCallSucceeds(service, call, request)
    },
  }
}

export const authenticationCases = defineCases([], {
  ...casesOf(operationCalls, '5/key', keyCase),
  '5/other-places': {
    title: `Rejects an API key that is not in the ${keyHeader} header`,
    rules: ['5/header', '5/team-key'],
    readOnly: true,
    async run(service) {
      const { apiKey } = service
      const basic = btoa(`${apiKey}:`)
      const headers = [
        ...Object.entries(otherHeaders(apiKey)),
        ['authorization', apiKey],
        ['authorization', `Basic ${basic}`],
      ] as const
      for (const [name, value] of headers) {
        const caller = service.withoutKey({ [name]: value })
        await caller.reject('link.listProviders', {}, `the key in the ${name} header`)
      }
      for (const [name, value] of Object.entries(otherParameters(apiKey))) {
        const request = { query: { [name]: value } }
        await service
          .withoutKey()
          .reject('link.listProviders', request, `the key in the ${name} parameter`)
      }
    },
  },
  '5/wrong-key': {
    title: 'Rejects an unknown API key, even if it resembles a valid one',
    rules: ['5/header', '5/team-key'],
    readOnly: true,
    async run(service) {
      service.requireStrictKeys()
      const { apiKey } = service
      const [upper, lower] = [apiKey.toUpperCase(), apiKey.toLowerCase()]
      const wrong = ['sk_unknown', `${apiKey}x`, `x${apiKey}`, apiKey.slice(0, -1), apiKey.slice(1)]
      const otherCase = [upper, lower].filter((key) => key !== apiKey)
      const more = [`Bearer ${apiKey}`, `"${apiKey}"`, `${apiKey},${apiKey}`]
      for (const key of [...wrong, ...otherCase, ...more, 'null', 'undefined', '*']) {
        const caller = service.withoutKey({ [keyHeader]: key })
        await caller.reject('link.listProviders', {}, 'an unknown API key')
      }
    },
  },
  '5/right-key': {
    title: `Accepts the API key in the ${keyHeader} header, with the header name in any letter case`,
    rules: ['5/header'],
    readOnly: true,
    async run(service) {
      assertSuccess(await service.call('link.listProviders'))
      for (const name of ['X-Service-API-Key', keyHeader.toUpperCase()]) {
        const caller = service.withoutKey({ [name]: service.apiKey })
        assertSuccess(await caller.call('link.listProviders'))
      }
    },
  },
  '5/after-others': {
    title: 'Checks the API key of every call, regardless of earlier calls',
    rules: ['5/header', '5/team-key'],
    readOnly: true,
    async run(service) {
      for (let round = 0; round < 3; round += 1) {
        assertSuccess(await service.call('link.listProviders'))
        await service.withoutKey().reject('link.listProviders', {}, 'a call without a key')
      }
      assertSuccess(await service.call('link.listProviders'))
    },
  },
})
