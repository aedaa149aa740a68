import * as z from 'zod/mini'
import {
  assumeRequired,
  date,
  lenient,
  nullishString,
  requiredString,
} from './schema-tools/schema.ts'

/**
 * The address of an insured person, guarantor or company in a request (specification 2.2). The specification does not say
 * which fields are required; the client sends whatever it is given.
 */
export interface InsuranceAddressInput {
  /** Street and house number. */
  first_line: string
  /** Apartment, suite or floor. Default: an empty string. */
  second_line?: string | null | undefined
  /** The city. */
  city: string
  /** The state, such as `CA`. */
  state: string
  /** The ZIP code, such as `94107`. */
  zip: string
  /** The country, such as `US`. */
  country: string
  /** Access instructions, such as a gate code. */
  access_notes?: string | null | undefined
}
export const InsuranceAddressInput = z.object({
  first_line: requiredString,
  second_line: nullishString,
  city: requiredString,
  state: requiredString,
  zip: requiredString,
  country: requiredString,
  access_notes: nullishString,
})

/** The address of an insured person, guarantor or company in a response (specification 2.2). */
export interface InsuranceAddress {
  /** Street and house number. */
  first_line?: string | null | undefined
  /** Apartment, suite or floor; an empty string if none was sent. */
  second_line?: string | null | undefined
  /** The city. */
  city?: string | null | undefined
  /** The state, such as `CA`. */
  state?: string | null | undefined
  /** The ZIP code, such as `94107`. */
  zip?: string | null | undefined
  /** The country, such as `US`. */
  country?: string | null | undefined
  /** Access instructions, such as a gate code. */
  access_notes?: string | null | undefined
}
export const InsuranceAddress = z.object({
  first_line: nullishString,
  second_line: nullishString,
  city: nullishString,
  state: nullishString,
  zip: nullishString,
  country: nullishString,
  access_notes: nullishString,
})

/**
 * The insured person in a request (specification 2.2). The specification does not say which fields are required. The types
 * require all of them, but the client sends whatever it is given.
 */
export interface PersonDetails {
  /** Must pass the labs' name validation; see {@link isLabName}. */
  first_name: string
  /** Must pass the labs' name validation; see {@link isLabName}. */
  last_name: string
  /** Free text in the specification; commonly female, male, other or unknown. */
  gender: string
  /** Date of birth, `YYYY-MM-DD`. */
  dob: string
  /** An e-mail address; the client does not check its format. */
  email: string
  /** The phone number with country code, such as `+14155550123`; the format is not specified. */
  phone_number: string
  /** The person's home address. */
  address: InsuranceAddressInput
}
export const PersonDetails = z.object({
  first_name: requiredString,
  last_name: requiredString,
  gender: requiredString,
  dob: assumeRequired(date),
  email: requiredString,
  phone_number: requiredString,
  address: assumeRequired(InsuranceAddressInput),
})

/** The insured person in a response (specification 2.2). */
export interface Person {
  /** As sent in the request. */
  first_name?: string | null | undefined
  /** As sent in the request. */
  last_name?: string | null | undefined
  /** Free text in the specification; commonly female, male, other or unknown. */
  gender?: string | null | undefined
  /** Date of birth, `YYYY-MM-DD`. */
  dob?: string | null | undefined
  /** An e-mail address, as sent in the request. */
  email?: string | null | undefined
  /** As sent in the request; the format is not specified. */
  phone_number?: string | null | undefined
  /** The person's home address. */
  address?: InsuranceAddress | null | undefined
}
export const Person = z.object({
  first_name: nullishString,
  last_name: nullishString,
  gender: nullishString,
  dob: z.nullish(lenient.date),
  email: nullishString,
  phone_number: nullishString,
  address: z.nullish(InsuranceAddress),
})

/**
 * The person who pays, a guarantor or medical proxy, in a request (specification 2.2). The specification does not say which
 * fields are required. The types require the name, address and phone number, but the client sends whatever it is given.
 */
export interface GuarantorDetails {
  /** Must pass the labs' name validation; see {@link isLabName}. */
  first_name: string
  /** Must pass the labs' name validation; see {@link isLabName}. */
  last_name: string
  /** The person's home address. */
  address: InsuranceAddressInput
  /** The phone number with country code, such as `+14155550123`; the format is not specified. */
  phone_number: string
  /** An e-mail address; the client does not check its format. */
  email?: string | null | undefined
  /** An integer; its unit and period are not specified. */
  household_income?: number | null | undefined
  /** The number of people in the household. */
  household_size?: number | null | undefined
}
export const GuarantorDetails = z.object({
  first_name: requiredString,
  last_name: requiredString,
  address: assumeRequired(InsuranceAddressInput),
  phone_number: requiredString,
  email: nullishString,
  household_income: z.nullish(z.int()),
  household_size: z.nullish(z.int()),
})

/** The person who pays, a guarantor or medical proxy, in a response (specification 2.2). */
export interface Guarantor {
  /** As sent in the request. */
  first_name?: string | null | undefined
  /** As sent in the request. */
  last_name?: string | null | undefined
  /** The person's home address. */
  address?: InsuranceAddress | null | undefined
  /** As sent in the request; the format is not specified. */
  phone_number?: string | null | undefined
  /** An e-mail address, as sent in the request. */
  email?: string | null | undefined
  /** An integer; its unit and period are not specified. */
  household_income?: number | null | undefined
  /** The number of people in the household. */
  household_size?: number | null | undefined
}
export const Guarantor = z.object({
  first_name: nullishString,
  last_name: nullishString,
  address: z.nullish(InsuranceAddress),
  phone_number: nullishString,
  email: nullishString,
  household_income: z.nullish(z.int()),
  household_size: z.nullish(z.int()),
})
