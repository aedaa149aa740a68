import * as z from 'zod/mini'
import { Insurance } from '../../../src/contract/insurance.ts'
import { lenient } from '../../../src/contract/schema-tools/schema.ts'

/** A user's insurance. */
export interface UserInsurance {
  /** The id of the insurance record, a UUID. */
  id: string
  /** The `user_id` of the insured user. */
  user_id: string
  /** The insurance as the service returns it. */
  insurance: Insurance
  /** The virtual time of creation, in ISO 8601. */
  created_at: string
}
export const UserInsurance = z.object({
  id: z.string(),
  user_id: z.string(),
  insurance: Insurance,
  created_at: lenient.dateTime,
})

/** An insurance record to create. Omitted fields are generated. */
export interface UserInsuranceInput {
  /** The id, a UUID. Default: random. */
  id?: string
  /** The `user_id` of the insured user. */
  user_id: string
  /** The insurance. Omitted fields are generated. */
  insurance?: Partial<Insurance>
}
export const UserInsuranceInput = z.object({
  id: z.optional(z.string()),
  user_id: z.string(),
  insurance: z.optional(z.partial(Insurance)),
})
