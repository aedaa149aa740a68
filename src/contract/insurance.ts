import * as z from 'zod/mini'
import { Guarantor, GuarantorDetails, InsuranceAddress, Person, PersonDetails } from './people.ts'
import { endpoint } from './schema-tools/define-endpoint.ts'
import { nullishString, openEnum } from './schema-tools/schema.ts'
import {
  type InsuranceRelationship,
  insuranceRelationships,
  type Open,
} from './values/known-values.ts'

/** The insurance company (specification 2.2). */
export interface CompanyDetails {
  /** The company's name. */
  name?: string | null | undefined
  /** The company's postal address. */
  address?: InsuranceAddress | null | undefined
}
export const CompanyDetails = z.object({
  name: nullishString,
  address: z.nullish(InsuranceAddress),
})

/** A user's insurance record in a request (specification 2.2). */
export interface InsuranceInput {
  /** A payor's code, or one of {@link inferredPayorCodes}. */
  payor_code: string
  /** The member number on the insurance card. */
  member_id: string
  /** The user's relationship to the insured person. */
  relationship: Open<InsuranceRelationship>
  /** The insured person, who is the user if `relationship` is `Self`. */
  insured: PersonDetails
  /** The group number on the insurance card. */
  group_id?: string | null | undefined
  /** The person responsible for payment. */
  guarantor?: GuarantorDetails | null | undefined
  /** Whether this is the user's primary insurance. Default: true. */
  is_primary?: boolean | undefined
}
export const InsuranceInput = z.object({
  payor_code: z.string(),
  member_id: z.string(),
  relationship: openEnum(insuranceRelationships),
  insured: PersonDetails,
  group_id: nullishString,
  guarantor: z.nullish(GuarantorDetails),
  is_primary: z.optional(z.boolean()),
})

/** A user's stored insurance record (specification 2.2). */
export interface Insurance {
  /** The stored payor code. If the service inferred a regional plan, this is the plan's code. */
  payor_code: string
  /** The member number on the insurance card. */
  member_id: string
  /** The user's relationship to the insured person. */
  relationship: Open<InsuranceRelationship>
  /** The insured person, who is the user if `relationship` is `Self`. */
  insured: Person
  /** The group number on the insurance card. */
  group_id?: string | null | undefined
  /** The person responsible for payment. */
  guarantor?: Guarantor | null | undefined
  /** Whether this is the user's primary insurance. */
  is_primary?: boolean | null | undefined
  /** The insurance company; set by the service. */
  company: CompanyDetails
}
export const Insurance = z.object({
  payor_code: z.string(),
  member_id: z.string(),
  relationship: openEnum(insuranceRelationships),
  insured: Person,
  group_id: nullishString,
  guarantor: z.nullish(Guarantor),
  is_primary: z.nullish(z.boolean()),
  company: CompanyDetails,
})

export const createInsurance = endpoint('insurance.create', {
  params: { user_id: z.string() },
  body: InsuranceInput,
  responses: { 200: Insurance },
})
