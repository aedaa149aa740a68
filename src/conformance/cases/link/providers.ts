import { assertEqual, assertSameItems, assertThat } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import { assertShape, fieldOf, type ObjectForm } from '../../shape.ts'

const provider: ObjectForm = {
  name: 'string',
  slug: 'text',
  description: 'string',
  logo: 'url | null',
  'auth_type?': 'text',
  'supported_resources?': ['text'],
}

const authTypes = ['oauth', 'team_oauth', 'sdk', 'password', 'email', 'app']

/** Common values of `supported_resources`. If a service sends any values, at least one must be in this list. */
const commonResources = [
  'profile',
  'activity',
  'sleep',
  'body',
  'workouts',
  'heartrate',
  'glucose',
  'steps',
  'weight',
]

async function list(
  service: TestedService,
  query: Record<string, string> = {},
): Promise<unknown[]> {
  const json = await service.read('link.listProviders', { query })
  assertThat(Array.isArray(json), 'Expected an array of providers, but found something else.')
  assertShape(json, [provider], 'the list of providers')
  return json
}

/** Returns the fields to compare. Omits the logo, whose URL may differ between calls. */
function factsOf(one: unknown): Record<string, unknown> {
  const resources = fieldOf(one, 'supported_resources')
  return {
    name: fieldOf(one, 'name'),
    description: fieldOf(one, 'description'),
    auth_type: fieldOf(one, 'auth_type') ?? null,
    supported_resources: Array.isArray(resources) ? resources.toSorted() : null,
  }
}

function slugsOf(providers: readonly unknown[]): string[] {
  return providers.map((one) => String(fieldOf(one, 'slug')))
}

export const providerCases = defineCases([], {
  '2.7/providers': {
    title: 'Lists providers with all required fields',
    rules: ['2.7/fields', '2.7/supported-resources', '4.9/response'],
    readOnly: true,
    async run(service) {
      const providers = await list(service)
      assertThat(providers.length > 0, 'Expected at least one provider, but found none.')
    },
  },
  '2.7/slugs': {
    title: 'Lists every provider once, with a slug that can be used in a path',
    rules: ['4.9/response', '2.7/fields'],
    readOnly: true,
    async run(service) {
      const slugs = slugsOf(await list(service))
      assertThat(
        new Set(slugs).size === slugs.length,
        'Expected each slug only once, but found duplicates.',
      )
      const isSlug = slugs.every((slug) => encodeURIComponent(slug) === slug)
      assertThat(isSlug, 'Expected no special characters in slugs, but found some.')
    },
  },
  '2.7/known-values': {
    title: 'Spells values of auth_type and supported_resources as in the specification',
    rules: ['2.7/fields', '2.7/supported-resources'],
    readOnly: true,
    async run(service) {
      const providers = await list(service)
      const types = providers.flatMap((one) => fieldOf(one, 'auth_type') ?? [])
      // The enumerations may grow, so unknown values are allowed, but listed values in a different letter case are not.
      const isOtherCase = types.some((type) => {
        const lower = String(type).toLowerCase()
        return lower !== type && authTypes.includes(lower)
      })
      assertThat(
        !isOtherCase,
        'Expected auth_type to be in the specified letter case, but found a different case.',
      )
      const resources = providers.flatMap((one) => fieldOf(one, 'supported_resources') ?? [])
      const isKnown = resources.some((name) => commonResources.includes(String(name)))
      const message =
        'Expected a provider that supports a known resource, such as sleep, but found none.'
      assertThat(resources.length === 0 || isKnown, message)
    },
  },
  '4.9/again': {
    title: 'Lists the same providers again after a request with an unknown source_type',
    rules: ['4.9/query', '4.9/response'],
    readOnly: true,
    async run(service) {
      const first = slugsOf(await list(service))
      await service.call('link.listProviders', { query: { source_type: 'no_such_type' } })
      assertSameItems(slugsOf(await list(service)), first, 'the slugs')
    },
  },
  '4.9/source-type': {
    title: 'Lists only the providers of the requested source_type',
    rules: ['4.9/query', '4.9/response'],
    needs: ['sourceTypes'],
    readOnly: true,
    async run(service) {
      const all = await list(service)
      const known = Object.entries(await service.setup.sourceTypes())
      for (const [source_type, slugs] of [...known, ...known.slice(0, 1)]) {
        const some = await list(service, { source_type })
        assertSameItems(
          slugsOf(some),
          slugs,
          `the slugs of the providers with source_type ${source_type}`,
        )
        for (const one of some) {
          const same = all.find((other) => fieldOf(other, 'slug') === fieldOf(one, 'slug'))
          assertEqual(factsOf(one), factsOf(same), `a provider with source_type ${source_type}`)
        }
      }
    },
  },
  '4.9/unknown-source-type': {
    title: 'Lists no providers for an unknown source_type',
    rules: ['4.9/query'],
    readOnly: true,
    assumption: 'an unknown source_type yields an empty list',
    async run(service) {
      const found = await list(service, { source_type: 'no_such_type' })
      assertEqual(found.length, 0, 'the number of providers')
    },
  },
  '4.9/methods': {
    title: 'Rejects methods other than GET on /v2/providers',
    rules: ['4.9/query'],
    assumption: 'a request with the wrong method on a known path is rejected',
    async run(service) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
        await service.reject(`${method} /v2/providers`, {}, `the method ${method}`)
      }
    },
  },
})
