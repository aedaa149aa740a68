import { assertSuccess, assertThat } from '../assertions.ts'
import { defineCases } from '../case.ts'
import { listProviders } from '../operations.ts'
import { assertShape, fieldOf, type ObjectForm } from '../shape.ts'

const provider: ObjectForm = {
  name: 'string',
  slug: 'string',
  description: 'string',
  logo: 'url | null',
  'auth_type?': 'string',
  'supported_resources?': ['string'],
}

export const providerCases = defineCases({
  '2.7/providers': {
    title: 'Lists providers with their fields',
    rules: ['2.7/fields', '2.7/supported-resources', '4.9/response'],
    readOnly: true,
    async run(service) {
      const { json } = assertSuccess(await service.call(listProviders))
      assertShape(json, [provider], 'the list of providers')
    },
  },
  '2.7/slugs': {
    title: 'Lists every provider once',
    rules: ['4.9/response'],
    readOnly: true,
    async run(service) {
      const { json } = assertSuccess(await service.call(listProviders))
      const slugs = (Array.isArray(json) ? json : []).map((one) => fieldOf(one, 'slug'))
      assertThat(new Set(slugs).size === slugs.length, 'Expected every slug once.')
    },
  },
  '4.9/source-type': {
    title: 'Filters providers by source_type',
    rules: ['4.9/query'],
    readOnly: true,
    async run(service) {
      const list = async (query: Record<string, string>) => {
        const { json } = assertSuccess(await service.call(listProviders, { query }))
        assertThat(Array.isArray(json), 'Expected an array of providers.')
        return json.map((one) => fieldOf(one, 'slug'))
      }
      const all = await list({})
      for (const source_type of ['app', 'no_such_type']) {
        const some = await list({ source_type })
        assertThat(
          some.every((slug) => all.includes(slug)),
          'Expected only providers of the complete list.',
        )
        assertThat(
          some.length < all.length,
          `Expected fewer providers of source_type ${source_type}.`,
        )
      }
    },
  },
})
