import { assertEqual, assertIncludes, assertSameData, assertThat } from '../../assertions.ts'
import { withValue } from '../../bodies/invalid-bodies.ts'
import { completeAddress, completeInsurance } from '../../bodies/people.ts'
import { defineCases } from '../../case.ts'
import { assertShape, fieldOf, valueAt } from '../../shape.ts'
import { assertHasCompany, create, createWith, insuranceOf, insuranceShape } from './shapes.ts'

const addressPaths = ['insured.address', 'guarantor.address']

/** Asserts that two companies are equal, ignoring fields that are missing or null in either one. */
function assertSameCompany(response: unknown, stored: unknown): void {
  const [found, expected] = [fieldOf(response, 'company'), fieldOf(stored, 'company')]
  const paths = [
    'name',
    ...Object.keys(completeAddress('insured')).map((name) => `address.${name}`),
  ]
  for (const path of paths) {
    const [value, kept] = [valueAt(found, path) ?? null, valueAt(expected, path) ?? null]
    if (value !== null && kept !== null) assertEqual(value, kept, `company.${path}`)
  }
}

export const insuranceCases = defineCases(['user'], {
  '2.2/response': {
    title: 'Returns an insurance record with its company',
    rules: [
      '2.2/fields',
      '2.2/company',
      '2.2/company-details',
      '2.2/person',
      '2.2/guarantor',
      '4.1/response',
    ],
    async run(service) {
      for (const variant of ['first', 'second'] as const) {
        const body = await insuranceOf(service, variant)
        const response = await create(service, await service.user(), body)
        assertShape(response, insuranceShape, 'the insurance')
        assertHasCompany(response)
      }
    },
  },
  '4.1/stored': {
    title: 'Returns every field of an insurance record unchanged',
    rules: [
      '4.1/path',
      '4.1/body',
      '4.1/response',
      '2.2/person',
      '2.2/guarantor',
      '2.2/insurance-address',
      '2.2/fields',
      '2.2/payor-code',
    ],
    async run(service) {
      for (const variant of ['first', 'second'] as const) {
        const sent = await insuranceOf(service, variant)
        assertIncludes(await create(service, await service.user(), sent), sent, 'the insurance')
      }
    },
  },
  '4.1/read-back': {
    title: 'Stores every field of an insurance record unchanged, for the user in the path',
    rules: [
      '4.1/path',
      '4.1/body',
      '4.1/response',
      '2.2/fields',
      '2.2/person',
      '2.2/guarantor',
      '2.2/insurance-address',
    ],
    needs: ['user', 'insurances'],
    async run(service) {
      const [one, other] = [await service.user(), await service.user()]
      const before = [await service.setup.insurances(one), await service.setup.insurances(other)]
      const first = await insuranceOf(service, 'first')
      const second = await insuranceOf(service, 'second')
      const response = await create(service, one, first)
      const stored = await service.setup.insurances(one)
      assertEqual(stored.length, (before[0]?.length ?? 0) + 1, 'the number of insurance records')
      assertIncludes(stored.at(-1), first, 'the stored insurance')
      assertSameCompany(response, stored.at(-1))
      assertEqual(
        await service.setup.insurances(other),
        before[1],
        "another user's insurance records",
      )
      const answer = await create(service, other, second)
      const latest = (await service.setup.insurances(other)).at(-1)
      assertIncludes(latest, second, 'the stored insurance')
      assertSameCompany(answer, latest)
      assertSameData(
        await service.setup.insurances(one),
        stored,
        "another user's insurance records",
      )
    },
  },
  '4.1/several': {
    title: 'Returns each insurance record with its own values, for several users',
    rules: ['4.1/path', '4.1/response', '2.2/fields'],
    async run(service) {
      const users = [await service.user(), await service.user()]
      for (const variant of ['first', 'second', 'first'] as const) {
        for (const user of users) {
          const member_id = `M-${variant}-${users.indexOf(user)}`
          const sent = await insuranceOf(service, variant, { member_id })
          assertIncludes(await create(service, user, sent), sent, 'the insurance')
        }
      }
    },
  },
  '2.2/relationship': {
    title: 'Accepts Self, Spouse and Other as the relationship',
    rules: ['2.2/relationship'],
    async run(service) {
      for (const relationship of ['Self', 'Spouse', 'Other']) {
        const response = await createWith(service, { relationship })
        assertEqual(fieldOf(response, 'relationship'), relationship, 'relationship')
      }
    },
  },
  '2.2/group-id': {
    title: "Returns an insurance record's group_id, or none if it is null or missing",
    rules: ['2.2/group-id'],
    async run(service) {
      for (const group_id of ['G1', null, undefined, 'group 2']) {
        const found = fieldOf(await createWith(service, { group_id }), 'group_id') ?? null
        assertEqual(found, group_id ?? null, 'group_id')
      }
    },
  },
  '2.2/guarantor': {
    title: 'Returns every field of a guarantor, or none if the guarantor is missing',
    rules: ['2.2/guarantor', '2.2/fields'],
    async run(service) {
      const { guarantor } = completeInsurance('second')
      for (const relationship of ['Self', 'Other']) {
        const response = await createWith(service, { guarantor, relationship })
        assertIncludes(fieldOf(response, 'guarantor'), guarantor, 'guarantor')
      }
      const without = await createWith(service, { guarantor: undefined, relationship: 'Self' })
      assertEqual(fieldOf(without, 'guarantor') ?? null, null, 'guarantor')
    },
  },
  '2.2/primary-by-default': {
    title: 'Makes an insurance record primary unless is_primary is false',
    rules: ['2.2/is-primary'],
    async run(service) {
      const user = await service.user()
      for (const is_primary of [false, undefined, true, false, undefined]) {
        const sent = await insuranceOf(service, 'first', { is_primary })
        const response = await create(service, user, sent)
        assertEqual(fieldOf(response, 'is_primary'), is_primary ?? true, 'is_primary')
        if (!service.offers('insurances')) continue
        const stored = (await service.setup.insurances(user)).at(-1)
        assertEqual(fieldOf(stored, 'is_primary'), is_primary ?? true, 'the stored is_primary')
      }
    },
  },
  '2.2/second-line': {
    title:
      'Returns an empty second_line for an insurance address whose second_line is null or missing',
    rules: ['2.2/insurance-address', '2.2/guarantor'],
    async run(service) {
      for (const path of addressPaths) {
        for (const second_line of [null, undefined, '', 'Unit 3']) {
          const complete = await insuranceOf(service, 'first')
          const body = withValue(complete, `${path}.second_line`, second_line)
          const address = valueAt(await create(service, await service.user(), body), path)
          assertEqual(fieldOf(address, 'second_line'), second_line ?? '', `${path}.second_line`)
        }
      }
    },
  },
  '2.2/access-notes': {
    title: 'Accepts an insurance address whose access_notes is null or missing',
    rules: ['2.2/insurance-address'],
    assumption: 'access_notes may be null or missing',
    async run(service) {
      for (const path of addressPaths) {
        for (const access_notes of [null, undefined]) {
          const complete = await insuranceOf(service, 'first')
          const body = withValue(complete, `${path}.access_notes`, access_notes)
          const address = valueAt(await create(service, await service.user(), body), path)
          assertEqual(fieldOf(address, 'access_notes') ?? null, null, `${path}.access_notes`)
        }
      }
    },
  },
  '2.2/own-company': {
    title: 'Ignores or rejects a company that is sent with an insurance record',
    rules: ['2.2/company', '4.1/body'],
    async run(service) {
      const company = {
        name: 'A company of the request',
        address: completeInsurance('first').insured.address,
      }
      const body = await insuranceOf(service, 'first', { company })
      const params = { user_id: await service.user() }
      const { status, json } = await service.call('insurance.create', { params, body })
      const name = status < 300 ? fieldOf(fieldOf(json, 'company'), 'name') : undefined
      assertThat(
        name !== company.name,
        "Expected the payor's company, found the request's company.",
      )
    },
  },
})
