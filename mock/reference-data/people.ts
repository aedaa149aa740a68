import type { Faker } from '@faker-js/faker'
import { faker } from '@faker-js/faker/locale/en'
import type { LngLat } from '../../src/contract/appointments.ts'
import type { CompanyDetails } from '../../src/contract/insurance.ts'
import type { UserInfoInput } from '../../src/contract/users.ts'
import { isLabName } from '../../src/contract/values/bounds.ts'
import { day } from '../shared/time-units.ts'
import { type Place, places } from './places.ts'
import type { Random } from './random.ts'

/** The range of generated dates of birth. At the default virtual time, all generated people are adults. */
const births = { first: Date.UTC(1940, 0, 1), last: Date.UTC(2004, 11, 31) }

/** Generates a name that passes the labs' name validation (specification 2.1). */
function personName(random: Random): { first_name: string; last_name: string } {
  const { person } = seedFaker(random)
  const first_name = person.firstName()
  const last_name = person.lastName()
  // Faker has a few names with accents, which labs reject.
  return isLabName(first_name) && isLabName(last_name)
    ? { first_name, last_name }
    : personName(random)
}

/** Generates a user's personal data (specification 2.1). The address is in one of the {@link places}. */
export function makeUserInfo(random: Random): Required<UserInfoInput> {
  const { first_name, last_name } = personName(random)
  const place = random.pick(places)
  const { first_line, second_line } = street(random)
  const gender = random.pick(['female', 'male'] as const)
  return {
    first_name,
    last_name,
    email: emailOf(first_name, last_name, random),
    phone_number: phoneNumber(random),
    gender,
    dob: birthday(random),
    address: {
      first_line,
      second_line,
      zip_code: zipCode(place, random),
      state: place.state,
      city: place.city,
    },
    medical_proxy: null,
    race: null,
    ethnicity: null,
    sexual_orientation: null,
    gender_identity: gender,
  }
}

export function makePatient(random: Random) {
  const { first_name, last_name, dob, gender, phone_number, email } = makeUserInfo(random)
  return { first_name, last_name, dob, gender, phone_number, email }
}

export function postalAddress(random: Random) {
  const place = random.pick(places)
  return { ...street(random), ...cityOf(place, random) }
}

/** Returns a location in a state, and its time zone. If {@link places} has no city in the state, picks any city. */
export function locationIn(
  state: string,
  random: Random,
): { location: LngLat; iana_timezone: string } {
  const known = places.filter((place) => place.state === state.trim().toUpperCase())
  const place = random.pick(known.length > 0 ? known : places)
  return {
    location: { lng: nearby(place.lng, random), lat: nearby(place.lat, random) },
    iana_timezone: place.timeZone,
  }
}

/** Generates an insurance company for an unknown payor code (specification 4.1). */
export function makeCompany(random: Random, payorCode: string): Required<CompanyDetails> {
  const place = random.pick(places)
  return {
    name: `${seedFaker(random).person.lastName()} Health Plan (${payorCode})`,
    address: companyAddress(place, random),
  }
}

export function companyAddress(place: Place, random: Random) {
  const first_line = `PO Box ${random.integer(1000, 99_999)}`
  return { first_line, second_line: '', ...cityOf(place, random) }
}

function cityOf(place: Place, random: Random) {
  const { city, state } = place
  return { city, state, zip: zipCode(place, random), country: 'US', access_notes: null }
}

function seedFaker(random: Random): Faker {
  faker.seed(random.integer(0, 0xffff_ffff))
  return faker
}

function street(random: Random): { first_line: string; second_line: string | null } {
  const name = seedFaker(random).location.street()
  const isApartment = random.next() < 0.25
  return {
    first_line: `${random.integer(1, 9999)} ${name}`,
    second_line: isApartment ? `Apt ${random.integer(1, 60)}` : null,
  }
}

function zipCode({ zipPrefix }: Place, random: Random): string {
  return `${zipPrefix}${String(random.integer(1, 40)).padStart(2, '0')}`
}

/** Generates an e-mail address in a domain that is reserved for examples. */
function emailOf(first: string, last: string, random: Random): string {
  const name = `${first}.${last}`.toLowerCase().replace(/[^a-z0-9.]/g, '')
  return `${name}${random.integer(1, 999)}@example.com`
}

/** Generates a phone number from 555-0100 to 555-0199, which are reserved for fiction. */
function phoneNumber(random: Random): string {
  return `+1${random.integer(201, 989)}55501${String(random.integer(0, 99)).padStart(2, '0')}`
}

function birthday(random: Random): string {
  const days = random.integer(0, (births.last - births.first) / day)
  return new Date(births.first + days * day).toISOString().slice(0, 10)
}

/** Returns a coordinate within a few kilometers of the given one, to five decimal places. */
function nearby(degrees: number, random: Random): number {
  return Math.round((degrees + (random.next() - 0.5) / 20) * 1e5) / 1e5
}
