import * as z from 'zod/mini'
import { Guarantor, GuarantorDetails } from './insurance.ts'
import { endpoint } from './schema/endpoint.ts'
import { answered, date, maybe, openEnum, uuid } from './schema/schema.ts'
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

/** Where a user lives, as sent (specification 2.1). */
export interface UserAddressInput {
  first_line: string
  second_line?: string | null | undefined
  zip_code: string
  state: string
  city: string
}
export const UserAddressInput = z.object({
  first_line: z.string(),
  second_line: maybe(z.string()),
  zip_code: z.string(),
  state: z.string(),
  city: z.string(),
})

/** Where a user lives, as answered (specification 2.1). */
export interface UserAddress {
  first_line?: string | null | undefined
  second_line?: string | null | undefined
  zip_code?: string | null | undefined
  state?: string | null | undefined
  city?: string | null | undefined
}
export const UserAddress = z.object({
  first_line: maybe(z.string()),
  second_line: maybe(z.string()),
  zip_code: maybe(z.string()),
  state: maybe(z.string()),
  city: maybe(z.string()),
})

/** A user's personal information, as sent (specification 2.1). */
export interface UserInfoInput {
  /** Subject to the labs' name validation; see {@link isLabName}. */
  first_name: string
  /** Subject to the labs' name validation; see {@link isLabName}. */
  last_name: string
  /** Checked for the form of an e-mail address before it is sent. */
  email: string
  phone_number: string
  /** Free text in the specification; commonly female, male, other or unknown. */
  gender: string
  /** Date of birth, `YYYY-MM-DD`. */
  dob: string
  address: UserAddressInput
  medical_proxy?: GuarantorDetails | null | undefined
  race?: Open<Race> | null | undefined
  ethnicity?: Open<Ethnicity> | null | undefined
  sexual_orientation?: Open<SexualOrientation> | null | undefined
  gender_identity?: Open<GenderIdentity> | null | undefined
}
export const UserInfoInput = z.object({
  first_name: z.string(),
  last_name: z.string(),
  email: z.email(),
  phone_number: z.string(),
  gender: z.string(),
  dob: date,
  address: UserAddressInput,
  medical_proxy: maybe(GuarantorDetails),
  race: maybe(openEnum(races)),
  ethnicity: maybe(openEnum(ethnicities)),
  sexual_orientation: maybe(openEnum(sexualOrientations)),
  gender_identity: maybe(openEnum(genderIdentities)),
})

/** A user's personal information, as stored (specification 2.1). */
export interface UserInfo {
  first_name: string
  last_name: string
  /** A plain string here: what was stored, unchecked. */
  email: string
  phone_number: string
  gender: string
  /** Date of birth, `YYYY-MM-DD`. */
  dob: string
  address: UserAddress
  medical_proxy?: Guarantor | null | undefined
  race?: Open<Race> | null | undefined
  ethnicity?: Open<Ethnicity> | null | undefined
  sexual_orientation?: Open<SexualOrientation> | null | undefined
  gender_identity?: Open<GenderIdentity> | null | undefined
}
export const UserInfo = z.object({
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone_number: z.string(),
  gender: z.string(),
  dob: answered.date,
  address: UserAddress,
  medical_proxy: maybe(Guarantor),
  race: maybe(openEnum(races)),
  ethnicity: maybe(openEnum(ethnicities)),
  sexual_orientation: maybe(openEnum(sexualOrientations)),
  gender_identity: maybe(openEnum(genderIdentities)),
})

/** A token with which a mobile app signs its user in to the mobile SDKs (specification 2.3). */
export interface SignInToken {
  user_id: string
  /** Secret: it signs the user in. Its format and lifetime are not specified. */
  sign_in_token: string
}
export const SignInToken = z.object({ user_id: answered.uuid, sign_in_token: z.string() })

export const updateInfo = endpoint({
  id: 'users.updateInfo',
  method: 'PATCH',
  path: '/v2/user/{user_id}/info',
  spec: '4.2',
  effect: 'idempotent',
  params: { user_id: z.string() },
  body: UserInfoInput,
  responses: { 200: UserInfo },
})

export const createSignInToken = endpoint({
  id: 'users.createSignInToken',
  method: 'POST',
  path: '/v2/user/{user_id}/sign_in_token',
  spec: '4.7',
  effect: 'idempotent',
  params: { user_id: uuid },
  responses: { 200: SignInToken },
})
