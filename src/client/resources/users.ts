import type { SignInToken, UserInfo, UserInfoInput } from '../../contract/users.ts'
import type { Call } from '../call.ts'
import type { RequestOptions } from '../options/request-options.ts'
import type { Transport } from '../transport/transport.ts'

/** The methods of `client.users`, for user records and sign-in tokens. */
export class UsersApi {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Updates a user's personal information and returns the stored values (specification 4.2). The call is idempotent, so
   * it is retried after temporary failures.
   *
   * @param userId The user's id.
   * @throws {UnprocessableEntityError} when the service rejects a value, such as a name that the labs do not accept.
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
   * Creates a token that your mobile app uses to sign the user in to the mobile SDKs (specification 4.7). The app signs
   * in once; the session then persists on the device, so do not request a token at every launch. The call is
   * idempotent, so it is retried after temporary failures.
   *
   * @param userId The user's id, a UUID.
   * @throws {ResponseValidationError} when the returned token is for another user.
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
