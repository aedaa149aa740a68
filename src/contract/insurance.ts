import * as z from 'zod/mini'
import { endpoint } from './schema/endpoint.ts'
import { answered, date, maybe, openEnum, presumed, text } from './schema/schema.ts'
import {
  type InsuranceRelationship,
  insuranceRelationships,
  type Open,
} from './values/known-values.ts'

/** An address of an insured person, guarantor or company, as sent (specification 2.2). */
export interface InsuranceAddressInput {
  first_line: string
  /** Default: an empty string. */
  second_line?: string | null | undefined
  city: string
  state: string
  zip: string
  country: string
  /** At most 1,000 characters. */
  access_notes?: string | null | undefined
}
export const InsuranceAddressInput = z.object({
  first_line: z.string(),
  second_line: maybe(z.string()),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  country: z.string(),
  access_notes: maybe(text(1000)),
})

/** An address of an insured person, guarantor or company, as answered (specification 2.2). */
export interface InsuranceAddress {
  first_line?: string | null | undefined
  second_line?: string | null | undefined
  city?: string | null | undefined
  state?: string | null | undefined
  zip?: string | null | undefined
  country?: string | null | undefined
  access_notes?: string | null | undefined
}
export const InsuranceAddress = z.object({
  first_line: maybe(z.string()),
  second_line: maybe(z.string()),
  city: maybe(z.string()),
  state: maybe(z.string()),
  zip: maybe(z.string()),
  country: maybe(z.string()),
  access_notes: maybe(answered.text(1000)),
})

/**
 * The insured person, as sent (specification 2.2). Which fields are required is not specified: the types ask for
 * all, the client sends what it is given.
 */
export interface PersonDetails {
  first_name: string
  last_name: string
  /** Free text in the specification; commonly female, male, other or unknown. */
  gender: string
  /** Date of birth, `YYYY-MM-DD`. */
  dob: string
  email: string
  phone_number: string
  address: InsuranceAddressInput
}
export const PersonDetails = z.object({
  first_name: presumed(z.string()),
  last_name: presumed(z.string()),
  gender: presumed(z.string()),
  dob: presumed(date),
  email: presumed(z.string()),
  phone_number: presumed(z.string()),
  address: presumed(InsuranceAddressInput),
})

/** The insured person, as answered (specification 2.2). */
export interface Person {
  first_name?: string | null | undefined
  last_name?: string | null | undefined
  gender?: string | null | undefined
  /** Date of birth, `YYYY-MM-DD`. */
  dob?: string | null | undefined
  email?: string | null | undefined
  phone_number?: string | null | undefined
  address?: InsuranceAddress | null | undefined
}
export const Person = z.object({
  first_name: maybe(z.string()),
  last_name: maybe(z.string()),
  gender: maybe(z.string()),
  dob: maybe(answered.date),
  email: maybe(z.string()),
  phone_number: maybe(z.string()),
  address: maybe(InsuranceAddress),
})

/**
 * Who pays: a guarantor or medical proxy, as sent (specification 2.2). Which fields are required is not specified:
 * the types ask for name, address and phone number, the client sends what it is given.
 */
export interface GuarantorDetails {
  first_name: string
  last_name: string
  address: InsuranceAddressInput
  phone_number: string
  email?: string | null | undefined
  /** A whole number; its unit is not specified. */
  household_income?: number | null | undefined
  /** A whole number of persons. */
  household_size?: number | null | undefined
}
export const GuarantorDetails = z.object({
  first_name: presumed(z.string()),
  last_name: presumed(z.string()),
  address: presumed(InsuranceAddressInput),
  phone_number: presumed(z.string()),
  email: maybe(z.string()),
  household_income: maybe(z.int()),
  household_size: maybe(z.int()),
})

/** A guarantor or medical proxy, as answered (specification 2.2). */
export interface Guarantor {
  first_name?: string | null | undefined
  last_name?: string | null | undefined
  address?: InsuranceAddress | null | undefined
  phone_number?: string | null | undefined
  email?: string | null | undefined
  household_income?: number | null | undefined
  household_size?: number | null | undefined
}
export const Guarantor = z.object({
  first_name: maybe(z.string()),
  last_name: maybe(z.string()),
  address: maybe(InsuranceAddress),
  phone_number: maybe(z.string()),
  email: maybe(z.string()),
  household_income: maybe(z.int()),
  household_size: maybe(z.int()),
})

/** The insurance company (specification 2.2). */
export interface CompanyDetails {
  name?: string | null | undefined
  address?: InsuranceAddress | null | undefined
}
export const CompanyDetails = z.object({
  name: maybe(z.string()),
  address: maybe(InsuranceAddress),
})

/** A user's insurance, as sent (specification 2.2). */
export interface InsuranceInput {
  /** A payor's code, or one of {@link inferredPayorCodes}. */
  payor_code: string
  member_id: string
  relationship: Open<InsuranceRelationship>
  insured: PersonDetails
  group_id?: string | null | undefined
  guarantor?: GuarantorDetails | null | undefined
  /** Default: true. */
  is_primary?: boolean | undefined
}
export const InsuranceInput = z.object({
  payor_code: z.string(),
  member_id: z.string(),
  relationship: openEnum(insuranceRelationships),
  insured: PersonDetails,
  group_id: maybe(z.string()),
  guarantor: maybe(GuarantorDetails),
  is_primary: z.optional(z.boolean()),
})

/** A user's insurance, as stored (specification 2.2). */
export interface Insurance {
  /** The stored code: the regional plan's, where the service inferred it. */
  payor_code: string
  member_id: string
  relationship: Open<InsuranceRelationship>
  insured: Person
  group_id?: string | null | undefined
  guarantor?: Guarantor | null | undefined
  is_primary?: boolean | null | undefined
  company: CompanyDetails
}
export const Insurance = z.object({
  payor_code: z.string(),
  member_id: z.string(),
  relationship: openEnum(insuranceRelationships),
  insured: Person,
  group_id: maybe(z.string()),
  guarantor: maybe(Guarantor),
  is_primary: maybe(z.boolean()),
  company: CompanyDetails,
})

export const createInsurance = endpoint({
  id: 'insurance.create',
  method: 'POST',
  path: '/v2/user/{user_id}/insurance',
  spec: '4.1',
  effect: 'unsafe',
  params: { user_id: z.string() },
  body: InsuranceInput,
  responses: { 200: Insurance },
})
