import {
  createSignInToken,
  type UserInfo,
  type UserInfoInput,
  updateInfo,
} from '../../src/contract/users.ts'
import { type Route, route } from '../http/route.ts'
import { toStoredGuarantor } from '../state/records/insurance.ts'
import { issueSignInToken } from '../state/sign-in.ts'
import { checkPerson } from './person-rules.ts'

export function userRoutes(): Route[] {
  return [
    route(
      updateInfo,
      ({ params, body }, world) => {
        const { user_id } = world.user(params.user_id)
        const info = toUserInfo(body)
        world.users.update(user_id, { info })
        return info
      },
      ({ body }) => [...checkPerson(body), ...checkPerson(body, ['medical_proxy'])],
    ),

    route(createSignInToken, ({ params }, world) => {
      const { user_id } = world.user(params.user_id)
      return { user_id, sign_in_token: issueSignInToken(user_id, world) }
    }),
  ]
}

/** Returns the record of a user's information; omitted fields are null. */
function toUserInfo(body: UserInfoInput): UserInfo {
  const { first_name, last_name, email, phone_number, gender, dob, address, medical_proxy } = body
  return {
    first_name,
    last_name,
    email,
    phone_number,
    gender,
    dob,
    // Further fields of an address are kept (specification 2.1 leaves them open).
    address: { ...address, second_line: address.second_line ?? null },
    medical_proxy: medical_proxy ? toStoredGuarantor(medical_proxy) : null,
    race: body.race ?? null,
    ethnicity: body.ethnicity ?? null,
    sexual_orientation: body.sexual_orientation ?? null,
    gender_identity: body.gender_identity ?? null,
  }
}
