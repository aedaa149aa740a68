import { assertRejected, assertSuccess } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import { type OperationCall, operationCalls } from './valid-calls.ts'

const versions = ['/v1', '/v2', '/v3', '/v4', '', '/aggregate/v1', '/aggregate/v2', '/aggregate']

/** Checks that a call exists below its own version only. */
function versionCase(call: OperationCall) {
  const { method, purpose, needs, readOnly, prepare } = call
  const [own = ''] = /^(?:\/aggregate)?\/v\d/.exec(call.path) ?? []
  const rest = call.path.slice(own.length)
  return {
    title: `Requires the version in the path of a call to ${purpose}`,
    rules: ['9/prefix'],
    needs,
    readOnly: readOnly ?? false,
    async run(service: TestedService) {
      const { status } = await service.call(call, await prepare(service))
      // A closed beta, or names that the specification does not show.
      service.presume(status < 400 || status >= 500, 'the team may make this call')
      const request = await prepare(service)
      for (const version of versions.filter((other) => other !== own)) {
        const path = `${version}${rest}`
        assertRejected(await service.call({ method, path }, request), 'another version')
      }
      assertSuccess(await service.call(call, request))
    },
  }
}

export const pathCases = defineCases({
  ...Object.fromEntries(
    operationCalls
      .filter(({ presumed }) => !presumed)
      .map((call) => [`9/version-${call.name}`, versionCase(call)]),
  ),
  '4/upper-case-uuid': {
    title: 'Accepts UUIDs in upper case',
    rules: ['4.7/path', '4.10/path'],
    needs: ['user'],
    assumption: 'UUIDs are compared without case',
    async run(service) {
      const user_id = (await service.user()).toUpperCase()
      assertSuccess(await service.call('users.createSignInToken', { params: { user_id } }))
    },
  },
})
