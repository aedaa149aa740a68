import { assertEqual, assertRejected, assertSuccess, assertThat } from '../../assertions.ts'
import { readUsers } from '../../bodies/unchanged.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import { fieldOf } from '../../shape.ts'
import { type OperationCall, operationCalls, usersOf, validCalls } from './valid-calls.ts'

/** Strings that are not JSON, made from one that is. */
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

/** Checks that the response of a call is JSON. */
function jsonCase(call: OperationCall) {
  const { method, path, purpose, needs, readOnly, presumed, prepare } = call
  return {
    title: `Returns JSON and a success status from a call to ${purpose}`,
    rules: ['4/json', '7/success'],
    needs,
    readOnly: readOnly ?? false,
    async run(service: TestedService) {
      const response = await service.call(call, await prepare(service))
      if (presumed) service.presume(response.status < 300, `${method} ${path} exists`)
      const { headers, json } = assertSuccess(response)
      if (response.status === 202) return
      const type = (headers.get('content-type') ?? 'nothing').toLowerCase()
      const isJson = type.startsWith('application/json')
      assertThat(
        isJson,
        `Expected the content type application/json, found ${isJson ? '' : 'another one'}.`,
      )
      assertThat(json !== undefined, 'Expected a JSON body, found something else.')
    },
  }
}

/** Checks that a call rejects a body that is not JSON. */
function malformedCase(call: OperationCall) {
  const { method, path, purpose, needs, readOnly, presumed, prepare } = call
  return {
    title: `Rejects a body that is not JSON in a call to ${purpose}`,
    rules: ['4/json'],
    needs,
    readOnly: readOnly ?? false,
    async run(service: TestedService) {
      const request = await prepare(service)
      const users = usersOf(request)
      const before = await readUsers(service, users)
      for (const body of malformed(JSON.stringify(request.body))) {
        assertRejected(await service.call(call, { ...request, body }), 'malformed JSON')
      }
      assertEqual(await readUsers(service, users), before, 'the user after malformed JSON')
      const response = await service.call(call, request)
      if (presumed) service.presume(response.status < 300, `${method} ${path} exists`)
      assertSuccess(response)
    },
  }
}

const withBody = [
  'insurance',
  'info',
  'bulk-import',
  'order-set-markers',
  'booking',
  'query',
  'order',
]

export const bodyCases = defineCases({
  ...Object.fromEntries(jsonCalls.map((call) => [`4/json-${call.name}`, jsonCase(call)])),
  ...Object.fromEntries(
    jsonCalls
      .filter(({ name }) => withBody.includes(name))
      .map((call) => [`4/malformed-${call.name}`, malformedCase(call)]),
  ),
  '4/content-type': {
    title: 'Accepts JSON whose content type has parameters or upper case',
    rules: ['4/json'],
    needs: ['user'],
    async run(service) {
      const { prepare } = validCalls['users.updateInfo']
      for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
        const headers = { 'content-type': type }
        const request = { ...(await prepare(service)), headers }
        const { json } = assertSuccess(await service.call('users.updateInfo', request))
        assertThat(
          fieldOf(json, 'first_name') === 'Ada',
          'Expected the stored user info, found none.',
        )
      }
    },
  },
  '4/wrong-content-type': {
    title: 'Rejects a body of another content type',
    rules: ['4/json'],
    needs: ['user'],
    assumption: 'a body that is not declared as JSON is rejected',
    async run(service) {
      const { prepare } = validCalls['users.updateInfo']
      for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded']) {
        const request = { ...(await prepare(service)), headers: { 'content-type': type } }
        assertRejected(
          await service.call('users.updateInfo', request),
          `a body of the type ${type}`,
        )
      }
    },
  },
})
