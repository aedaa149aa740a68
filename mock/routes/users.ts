import {
  createSignInToken,
  type UserInfo,
  type UserInfoInput,
  updateInfo,
} from '../../src/contract/users.ts'
import { route } from '../http/route.ts'
import { toStoredGuarantor } from '../state/collections/insurance.ts'
import { issueSignInToken } from '../state/sign-in.ts'
import { checkPerson, checkZipCode } from './person-rules.ts'

export const userRoutes = [
  route(
    updateInfo,
    ({ params, body }, world) => {
      const { user_id } = world.user(params.user_id)
      const info = toUserInfo(body)
      world.users.update(user_id, { info })
      return info
    },
    ({ body }) => [
      ...checkZipCode(body),
      ...checkPerson(body),
      ...checkPerson(body, ['medical_proxy']),
    ],
  ),

  route(createSignInToken, ({ params }, world) => {
    const { user_id } = world.user(params.user_id)
    return { user_id, sign_in_token: issueSignInToken(user_id, world) }
  }),
]

function toUserInfo(body: UserInfoInput): UserInfo {
  const { first_name, last_name, email, phone_number, gender, dob, address, medical_proxy } = body
  return {
    first_name,
    last_name,
    email,
    phone_number,
    gender,
    dob,
    // Store additional address fields, because the specification does not list all address fields (2.1).
    address: {
      ...address,
      second_line: address.second_line ?? null,
      // The rules require `zip_code` or `zip`.
      zip_code: address.zip_code ?? String(address['zip']),
    },
    medical_proxy: medical_proxy ? toStoredGuarantor(medical_proxy) : null,
    race: body.race ?? null,
    ethnicity: body.ethnicity ?? null,
    sexual_orientation: body.sexual_orientation ?? null,
    gender_identity: body.gender_identity ?? null,
  }
}
