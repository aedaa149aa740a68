import * as z from 'zod/mini'
import { Guarantor, GuarantorDetails } from './people.ts'
import { endpoint } from './schema-tools/define-endpoint.ts'
import {
  date,
  email,
  lenient,
  nullishString,
  openEnum,
  requiredString,
  type Schema,
  uuid,
} from './schema-tools/schema.ts'
import {
  type Ethnicity,
  ethnicities,
  type GenderIdentity,
  genderIdentities,
  type Open,
  type Race,
  races,
  type SexualOrientation,
  sexualOrientations,
} from './values/known-values.ts'

/**
 * A user's home address in a request (specification 2.1). The specification does not say which fields are required. The
 * types require all fields except `second_line`; the client requires none.
 */
export interface UserAddressInput {
  /** Street and house number. */
  first_line: string
  /** Apartment, suite or floor. */
  second_line?: string | null | undefined
  /** The ZIP code, such as `94107`. */
  zip_code: string
  /** The state, such as `CA`. */
  state: string
  /** The city. */
  city: string
  /**
   * Additional fields that the specification does not define, such as `country`, or `zip` in place of
   * `zip_code` (assumption).
   */
  [field: string]: unknown
}
// The type requires this field, but the check does not, because callers may send `zip` instead (assumption).
const zipCode = nullishString as unknown as Schema<string>
export const UserAddressInput = z.looseObject({
  first_line: requiredString,
  second_line: nullishString,
  zip_code: zipCode,
  state: requiredString,
  city: requiredString,
})

/** A user's home address in a response (specification 2.1). */
export interface UserAddress {
  /** Street and house number. */
  first_line?: string | null | undefined
  /** Apartment, suite or floor. */
  second_line?: string | null | undefined
  /** The ZIP code, such as `94107`. */
  zip_code?: string | null | undefined
  /** The state, such as `CA`. */
  state?: string | null | undefined
  /** The city. */
  city?: string | null | undefined
  /** Additional, unspecified fields. */
  [field: string]: unknown
}
export const UserAddress = z.looseObject({
  first_line: nullishString,
  second_line: nullishString,
  zip_code: nullishString,
  state: nullishString,
  city: nullishString,
})

/** A user's personal information in a request (specification 2.1). */
export interface UserInfoInput {
  /** The first name; must pass {@link isLabName}. */
  first_name: string
  /** The last name; must pass {@link isLabName}. */
  last_name: string
  /** An e-mail address. The client checks its format. */
  email: string
  /** A phone number with a country code, such as `+14155550123` (format unspecified). */
  phone_number: string
  /** The gender as free text; commonly `female`, `male`, `other` or `unknown`. */
  gender: string
  /** Date of birth, `YYYY-MM-DD`. */
  dob: string
  /** The user's home address. */
  address: UserAddressInput
  /** The person who makes medical decisions for the user. */
  medical_proxy?: GuarantorDetails | null | undefined
  /** One of {@link races}, or a value added later. */
  race?: Open<Race> | null | undefined
  /** One of {@link ethnicities}, or a value added later. */
  ethnicity?: Open<Ethnicity> | null | undefined
  /** One of {@link sexualOrientations}, or a value added later. */
  sexual_orientation?: Open<SexualOrientation> | null | undefined
  /** One of {@link genderIdentities}, or a value added later. */
  gender_identity?: Open<GenderIdentity> | null | undefined
}
export const UserInfoInput = z.object({
  first_name: z.string(),
  last_name: z.string(),
  email,
  phone_number: z.string(),
  gender: z.string(),
  dob: date,
  address: UserAddressInput,
  medical_proxy: z.nullish(GuarantorDetails),
  race: z.nullish(openEnum(races)),
  ethnicity: z.nullish(openEnum(ethnicities)),
  sexual_orientation: z.nullish(openEnum(sexualOrientations)),
  gender_identity: z.nullish(openEnum(genderIdentities)),
})

/** A user's stored personal information (specification 2.1). */
export interface UserInfo {
  /** The first name, as sent in the request. */
  first_name: string
  /** The last name, as sent in the request. */
  last_name: string
  /** The e-mail address. The client does not check its format in responses. */
  email: string
  /** The phone number, as sent in the request (format unspecified). */
  phone_number: string
  /** The gender as free text; commonly `female`, `male`, `other` or `unknown`. */
  gender: string
  /** Date of birth, `YYYY-MM-DD`. */
  dob: string
  /** The user's home address. */
  address: UserAddress
  /** The person who makes medical decisions for the user. */
  medical_proxy?: Guarantor | null | undefined
  /** One of {@link races}, or a value added later. */
  race?: Open<Race> | null | undefined
  /** One of {@link ethnicities}, or a value added later. */
  ethnicity?: Open<Ethnicity> | null | undefined
  /** One of {@link sexualOrientations}, or a value added later. */
  sexual_orientation?: Open<SexualOrientation> | null | undefined
  /** One of {@link genderIdentities}, or a value added later. */
  gender_identity?: Open<GenderIdentity> | null | undefined
}
export const UserInfo = z.object({
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone_number: z.string(),
  gender: z.string(),
  dob: lenient.date,
  address: UserAddress,
  medical_proxy: z.nullish(Guarantor),
  race: z.nullish(openEnum(races)),
  ethnicity: z.nullish(openEnum(ethnicities)),
  sexual_orientation: z.nullish(openEnum(sexualOrientations)),
  gender_identity: z.nullish(openEnum(genderIdentities)),
})

/** A token that signs a user in to the mobile SDKs (specification 2.3). */
export interface SignInToken {
  /** The id of the user to sign in, a UUID. */
  user_id: string
  /** A secret that signs the user in. Its format and lifetime are not specified. */
  sign_in_token: string
}
export const SignInToken = z.object({ user_id: lenient.uuid, sign_in_token: z.string() })

export const updateInfo = endpoint('users.updateInfo', {
  params: { user_id: z.string() },
  body: UserInfoInput,
  responses: { 200: UserInfo },
})

export const createSignInToken = endpoint('users.createSignInToken', {
  params: { user_id: uuid },
  responses: { 200: SignInToken },
  echoes: { user_id: 'params.user_id' },
})
