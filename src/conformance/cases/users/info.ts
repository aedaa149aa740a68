import { assertEqual, assertIncludes, assertThat } from '../../assertions.ts'
import { completeUserInfo, userInfoBody, type Variant } from '../../bodies/people.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import { assertShape, fieldOf, type ObjectForm } from '../../shape.ts'
import { guarantorShape } from '../insurance/shapes.ts'

export const userAddress: ObjectForm = {
  'first_line?': 'string',
  'second_line?': 'string',
  'zip_code?': 'string',
  'state?': 'string',
  'city?': 'string',
}

/** The fields of user info, except `medical_proxy`. */
export const infoFields: ObjectForm = {
  first_name: 'string',
  last_name: 'string',
  email: 'string',
  phone_number: 'string',
  gender: 'string',
  dob: 'date',
  address: userAddress,
  'race?': 'string',
  'ethnicity?': 'string',
  'sexual_orientation?': 'string',
  'gender_identity?': 'string',
}

const userInfo: ObjectForm = { ...infoFields, 'medical_proxy?': guarantorShape }

const variants: readonly Variant[] = ['first', 'second']
const optional = ['medical_proxy', 'race', 'ethnicity', 'sexual_orientation', 'gender_identity']

export const infoCases = defineCases(['user'], {
  '2.1/response': {
    title: 'Returns user info with all required fields',
    rules: ['2.1/fields', '2.1/required-response', '2.1/email-response', '2.1/address'],
    async run(service) {
      const user = await service.user()
      for (const body of [...variants.map(completeUserInfo), userInfoBody()]) {
        assertShape(await storeInfo(service, user, body), userInfo, 'the user info')
      }
    },
  },
  '4.2/stored': {
    title: 'Returns every field of the user info unchanged',
    rules: [
      '4.2/response',
      '4.2/body',
      '2.1/fields',
      '2.1/address',
      '2.1/medical-proxy',
      '2.2/guarantor',
    ],
    async run(service) {
      for (const variant of variants) {
        const sent = completeUserInfo(variant)
        assertIncludes(await storeInfo(service, await service.user(), sent), sent, 'the user info')
      }
    },
  },
  '4.2/read-back': {
    title: 'Stores every field of the user info unchanged',
    rules: ['4.2/response', '4.2/body', '2.1/fields', '2.1/address', '2.1/medical-proxy'],
    needs: ['user', 'userInfo'],
    async run(service) {
      const user = await service.user()
      for (const variant of variants) {
        const sent = completeUserInfo(variant)
        await storeInfo(service, user, sent)
        assertIncludes(await service.setup.userInfo(user), sent, 'the stored user info')
      }
    },
  },
  '4.2/latest': {
    title: 'Returns the latest user info after each of several updates',
    rules: ['4.2/response', '4.2/path'],
    async run(service) {
      const user = await service.user()
      for (const variant of ['first', 'second', 'first'] as const) {
        const sent = completeUserInfo(variant)
        assertIncludes(await storeInfo(service, user, sent), sent, 'the user info')
      }
    },
  },
  '4.2/single-field': {
    title: 'Returns the new value when an update changes a single field of user info',
    rules: ['4.2/response', '2.1/fields'],
    async run(service) {
      const user = await service.user()
      const [first, second] = [completeUserInfo('first'), completeUserInfo('second')]
      await storeInfo(service, user, first)
      for (const [field, value] of Object.entries(second)) {
        const sent = { ...first, [field]: value }
        assertIncludes(await storeInfo(service, user, sent), sent, 'the user info')
      }
    },
  },
  '4.2/users': {
    title: "Stores each user's info separately",
    rules: ['4.2/path', '4.2/response'],
    async run(service) {
      const users = [await service.user(), await service.user()]
      const [one = '', other = ''] = users
      const sent = { [one]: completeUserInfo('first'), [other]: completeUserInfo('second') }
      for (const user of [one, other, one, other]) {
        const info = await storeInfo(service, user, sent[user] ?? {})
        assertIncludes(info, sent[user], 'the user info')
        if (service.offers('userInfo')) {
          assertIncludes(await service.setup.userInfo(user), sent[user], 'the stored user info')
        }
      }
      if (!service.offers('userInfo')) return
      assertIncludes(await service.setup.userInfo(one), sent[one], 'the info of the other user')
    },
  },
  '2.1/optional': {
    title: 'Leaves optional fields of user info empty if they are null or missing',
    rules: ['2.1/optional', '2.1/medical-proxy', '2.1/required-response'],
    async run(service) {
      const nulls = { race: null, ethnicity: null, sexual_orientation: null, gender_identity: null }
      for (const body of [userInfoBody(), userInfoBody(nulls)]) {
        const info = await storeInfo(service, await service.user(), body)
        for (const field of optional) {
          assertEqual(fieldOf(info, field) ?? null, null, field)
        }
      }
    },
  },
  '2.1/each-optional': {
    title: 'Returns each optional field of user info even if the others are missing',
    rules: ['2.1/optional', '2.1/medical-proxy'],
    async run(service) {
      const complete: Record<string, unknown> = completeUserInfo('first')
      for (const field of optional) {
        const sent = userInfoBody({ [field]: complete[field] })
        const info = await storeInfo(service, await service.user(), sent)
        assertIncludes(fieldOf(info, field), complete[field], field)
        for (const other of optional.filter((name) => name !== field)) {
          assertEqual(fieldOf(info, other) ?? null, null, other)
        }
      }
    },
  },
  '2.1/gender': {
    title: "Accepts any string for a user's gender",
    rules: ['2.1/gender'],
    async run(service) {
      for (const gender of ['female', 'Male', 'prefers_another_word', 'Non-binary / other', 'x']) {
        const info = await storeInfo(service, await service.user(), userInfoBody({ gender }))
        assertEqual(fieldOf(info, 'gender'), gender, 'gender')
      }
    },
  },
  '2.1/second-line': {
    title: "Accepts a user's address with or without second_line",
    rules: ['2.1/address'],
    async run(service) {
      const { second_line: _, ...address } = completeUserInfo('first').address
      for (const second_line of ['Unit 2', null, undefined]) {
        const body = userInfoBody({ address: { ...address, second_line } })
        const found = fieldOf(await storeInfo(service, await service.user(), body), 'address')
        assertIncludes(found, address, 'address')
        // Treat an empty string like null.
        const line = fieldOf(found, 'second_line') || null
        assertEqual(line, second_line ?? null, 'address.second_line')
      }
    },
  },
  '2.1/proxy-second-line': {
    title: 'Returns an empty second_line for a medical_proxy whose second_line is null or missing',
    rules: ['2.1/medical-proxy', '2.2/insurance-address'],
    async run(service) {
      const { medical_proxy } = completeUserInfo('first')
      for (const second_line of [null, undefined]) {
        const address = { ...medical_proxy.address, second_line }
        const body = userInfoBody({ medical_proxy: { ...medical_proxy, address } })
        const info = await storeInfo(service, await service.user(), body)
        const stored = fieldOf(fieldOf(info, 'medical_proxy'), 'address')
        assertThat(
          fieldOf(stored, 'second_line') === '',
          'Expected second_line to be empty, but found a different value.',
        )
      }
    },
  },
  '4.2/replaced': {
    title: 'Clears the optional fields of user info that an update omits',
    rules: ['4.2/body'],
    assumption: 'an update replaces the user info instead of merging it',
    async run(service) {
      const user = await service.user()
      await storeInfo(service, user, completeUserInfo('first'))
      const info = await storeInfo(service, user, userInfoBody())
      for (const field of optional) assertEqual(fieldOf(info, field) ?? null, null, field)
    },
  },
})

export function storeInfo(
  service: TestedService,
  user_id: string,
  body: Record<string, unknown>,
): Promise<unknown> {
  return service.read('users.updateInfo', { params: { user_id }, body })
}
