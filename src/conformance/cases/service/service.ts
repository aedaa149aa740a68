import { assertRejected, assertSuccess, assertThat } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import { createInsurance, listProviders, updateInfo } from '../../operations.ts'

const unknownId = '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55'

export const serviceCases = defineCases({
  '4/json': {
    title: 'Returns JSON',
    rules: ['4/json'],
    readOnly: true,
    async run(service) {
      const { headers, json } = assertSuccess(await service.call(listProviders))
      const type = (headers.get('content-type') ?? '').toLowerCase()
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
      for (const path of ['/v2/providers', '/v3/lab_tests/markers']) {
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
