import { assertRejected, assertSameData, assertSuccess, assertThat } from '../../assertions.ts'
import { readUsers } from '../../bodies/invalid-bodies.ts'
import { userInfoBody } from '../../bodies/people.ts'
import { defineCases } from '../../case.ts'
import type { ReadResponse, Route } from '../../operations.ts'
import type { TestedService } from '../../service.ts'
import { fieldOf } from '../../shape.ts'
import {
  assertCallSucceeds,
  casesOf,
  type OperationCall,
  operationCalls,
  usersOf,
} from './valid-calls.ts'

function malformed(json: string): string[] {
  return [
    '',
    json.slice(0, -1),
    `${json}}`,
    `${json} ${json}`,
    json.replaceAll('"', "'"),
    json.replace(/}$/, ',}'),
    json.replace(/"(\w+)":/, '$1:'),
    `// a comment\n${json}`,
    'first_name=Ada&last_name=Stone',
    '<xml/>',
  ]
}

const jsonCalls = operationCalls.filter(({ name }) => name !== 'requisition')

function jsonCase(call: OperationCall) {
  const { purpose, prepare } = call
  return {
    title: `Returns JSON and a success status for a request to ${purpose}`,
    rules: ['4/json', '7/success'],
    async run(service: TestedService) {
      const request = await prepare(service)
      const { status, headers, json } = await assertCallSucceeds(service, call, request)
      if (status === 202) return
      // The specification does not require a content type.
      const isJson = /^application\/json/i.test(headers.get('content-type') ?? 'application/json')
      assertThat(isJson, 'Expected the content type application/json, but found another.')
      assertThat(json !== undefined, 'Expected a JSON body, but found something else.')
    },
  }
}

function malformedCase(call: OperationCall) {
  const { purpose, prepare } = call
  return {
    title: `Rejects malformed JSON in a request to ${purpose}`,
    rules: ['4/json'],
    async run(service: TestedService) {
      const request = await prepare(service)
      const users = usersOf(request)
      const before = await readUsers(service, users)
      for (const body of malformed(JSON.stringify(request.body))) {
        await service.reject(call.route, { ...request, body }, 'malformed JSON')
      }
      assertSameData(
        await readUsers(service, users),
        before,
        "the user's data after malformed JSON",
      )
      await assertCallSucceeds(service, call, request)
    },
  }
}

const withBody = 'insurance info bulk-import order-set-markers booking query order'.split(' ')

const versions = ['/v1', '/v2', '/v3', '/v4', '', '/aggregate/v1', '/aggregate/v2', '/aggregate']

function versionCase(call: OperationCall) {
  const { route, purpose, prepare } = call
  const [own = ''] = /\/(?:aggregate\/)?v\d/.exec(route) ?? []
  return {
    title: `Requires the API version in the path of a request to ${purpose}`,
    rules: ['9/prefix'],
    async run(service: TestedService) {
      const { status } = await service.call(route, await prepare(service))
      // The call may be in closed beta, or use names that the specification does not define.
      service.presume(status < 400 || status >= 500, 'the team may make this call')
      const request = await prepare(service)
      for (const version of versions.filter((other) => other !== own)) {
        // The result still consists of a method and a path, so it is a route.
        const other = route.replace(own, version) as Route
        await service.reject(other, request, 'a path with a wrong or missing version')
      }
      assertSuccess(await service.call(route, request))
    },
  }
}

async function updateInfo(service: TestedService, type: string): Promise<ReadResponse> {
  const params = { user_id: await service.user() }
  const headers = { 'content-type': type }
  return service.call('users.updateInfo', { params, body: userInfoBody(), headers })
}

export const bodyCases = defineCases(['user'], {
  ...casesOf(jsonCalls, '4/json', jsonCase),
  ...casesOf(
    jsonCalls.filter(({ name }) => withBody.includes(name)),
    '4/malformed',
    malformedCase,
  ),
  '4/content-type': {
    title: 'Accepts JSON whose content type has parameters or capital letters',
    rules: ['4/json'],
    async run(service) {
      for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
        const { json } = assertSuccess(await updateInfo(service, type))
        const isStored = fieldOf(json, 'first_name') === 'Ada'
        assertThat(
          isStored,
          'Expected the response to contain the stored user info, but found none.',
        )
      }
    },
  },
  '4/wrong-content-type': {
    title: 'Rejects a body whose content type is not JSON',
    rules: ['4/json'],
    assumption: 'a body that is not declared as JSON is rejected',
    async run(service) {
      for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded']) {
        assertRejected(await updateInfo(service, type), `a body with the content type ${type}`)
      }
    },
  },
  ...casesOf(
    operationCalls.filter(({ presumed }) => !presumed),
    '9/version',
    versionCase,
  ),
  '4/upper-case-uuid': {
    title: 'Accepts a user id in upper case',
    rules: ['4.7/path', '4.10/path'],
    needs: ['user'],
    assumption: 'UUIDs are case-insensitive',
    async run(service) {
      const user_id = (await service.user()).toUpperCase()
      assertSuccess(await service.call('users.createSignInToken', { params: { user_id } }))
    },
  },
})
