import type { Insurance, InsuranceInput } from '../../contract/insurance.ts'
import type { Call } from '../call.ts'
import type { RequestOptions } from '../options/request-options.ts'
import type { Transport } from '../transport/transport.ts'

/** The methods of `client.insurance`, for users' insurance records. */
export class InsuranceApi {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Creates a user's insurance record and returns it, including the insurance company (specification 4.1). With the
   * payor code `MEDFED` or `MAIDFED`, the service infers the regional plan from the patient's address and stores that
   * plan's code (closed beta). The call is non-idempotent, so it is retried only if the service did not process the
   * request.
   *
   * @param userId The user's id.
   * @example
   * const insurance = await client.insurance.create(userId, {
   *   payor_code: 'MEDFED', member_id: 'M-1', relationship: 'Self', insured,
   * })
   */
  create(userId: string, insurance: InsuranceInput, options?: RequestOptions): Call<Insurance> {
    return this.#transport.send(
      ({ insurance }) => insurance.createInsurance,
      { params: { user_id: userId }, body: insurance },
      options,
    )
  }
}
