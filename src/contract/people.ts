import * as z from 'zod/mini'
import {
  assumeRequired,
  date,
  lenient,
  nullishString,
  requiredString,
} from './schema-tools/schema.ts'

/**
 * The address of an insured person, guarantor or medical proxy in a request (specification 2.2). The specification does
 * not say which fields are required, so the client requires none.
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

/** The address of an insured person, guarantor, medical proxy or company in a response (specification 2.2). */
export interface InsuranceAddress {
  /** Street and house number. */
  first_line?: string | null | undefined
  /** Apartment, suite or floor; an empty string if omitted from the request. */
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
 * The insured person in a request (specification 2.2). The specification does not say which fields are required. The
 * types require all fields; the client requires none.
 */
export interface PersonDetails {
  /** The first name; must pass {@link isLabName}. */
  first_name: string
  /** The last name; must pass {@link isLabName}. */
  last_name: string
  /** The gender as free text; commonly `female`, `male`, `other` or `unknown`. */
  gender: string
  /** Date of birth, `YYYY-MM-DD`. */
  dob: string
  /** An e-mail address, not checked by the client. */
  email: string
  /** A phone number with a country code, such as `+14155550123` (format unspecified). */
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
  /** The first name, as sent in the request. */
  first_name?: string | null | undefined
  /** The last name, as sent in the request. */
  last_name?: string | null | undefined
  /** The gender as free text; commonly `female`, `male`, `other` or `unknown`. */
  gender?: string | null | undefined
  /** Date of birth, `YYYY-MM-DD`. */
  dob?: string | null | undefined
  /** The e-mail address, as sent in the request. */
  email?: string | null | undefined
  /** The phone number, as sent in the request (format unspecified). */
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
 * A guarantor (the person who pays) or medical proxy in a request (specification 2.2). The specification does not say
 * which fields are required. The types require the name, address and phone number; the client requires none of them.
 */
export interface GuarantorDetails {
  /** The first name; must pass {@link isLabName}. */
  first_name: string
  /** The last name; must pass {@link isLabName}. */
  last_name: string
  /** The person's home address. */
  address: InsuranceAddressInput
  /** A phone number with a country code, such as `+14155550123` (format unspecified). */
  phone_number: string
  /** An e-mail address, not checked by the client. */
  email?: string | null | undefined
  /** The household income, an integer; its unit and period are unspecified. */
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

/** A guarantor (the person who pays) or medical proxy in a response (specification 2.2). */
export interface Guarantor {
  /** The first name, as sent in the request. */
  first_name?: string | null | undefined
  /** The last name, as sent in the request. */
  last_name?: string | null | undefined
  /** The person's home address. */
  address?: InsuranceAddress | null | undefined
  /** The phone number, as sent in the request (format unspecified). */
  phone_number?: string | null | undefined
  /** The e-mail address, as sent in the request. */
  email?: string | null | undefined
  /** The household income, an integer; its unit and period are unspecified. */
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
