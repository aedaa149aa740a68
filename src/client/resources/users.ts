import type { SignInToken, UserInfo, UserInfoInput } from '../../contract/users.ts'
import type { Call } from '../call.ts'
import type { RequestOptions } from '../options.ts'
import type { Transport } from '../transport/transport.ts'

/** User records and sign-in tokens. */
export class Users {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Stores a user's personal information and answers what is stored (specification 4.2). Idempotent: it is repeated
   * after a failure that may pass.
   *
   * @throws {UnprocessableEntityError} when the service refuses a value, such as a name the labs do not accept.
   * @example
   * await client.users.updateInfo(userId, {
   *   first_name: 'Jane', last_name: 'Doe', email: 'jane@example.com', phone_number: '+14155550100',
   *   gender: 'female', dob: '1980-02-29',
   *   address: { first_line: '1 Main St', zip_code: '94105', state: 'CA', city: 'San Francisco' },
   * })
   */
  updateInfo(userId: string, info: UserInfoInput, options?: RequestOptions): Call<UserInfo> {
    return this.#transport.send(
      ({ users }) => users.updateInfo,
      { params: { user_id: userId }, body: info },
      options,
    )
  }

  /**
   * Creates a token with which your mobile app signs this user in to the mobile SDKs (specification 4.7). The app signs
   * in once; the session then persists on the device, so do not ask for a token at every launch. Idempotent: it is
   * repeated after a failure that may pass.
   *
   * @param userId A UUID.
   * @example
   * const { sign_in_token } = await client.users.createSignInToken(userId)
   */
  createSignInToken(userId: string, options?: RequestOptions): Call<SignInToken> {
    return this.#transport.send(
      ({ users }) => users.createSignInToken,
      { params: { user_id: userId } },
      options,
    )
  }
}
