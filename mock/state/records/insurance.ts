import type { CompanyDetails, Insurance, InsuranceInput } from '../../../src/contract/insurance.ts'
import type {
  GuarantorDetails,
  InsuranceAddressInput,
  PersonDetails,
} from '../../../src/contract/people.ts'
import { usAddress, userInfo } from '../../data/people.ts'
import type { Random } from '../random.ts'
import { dateTime } from '../time.ts'
import type { World } from '../world.ts'

/** An insurance of a user. */
export interface UserInsurance {
  id: string
  user_id: string
  insurance: Insurance
  created_at: string
}

/** An insurance to create; what is left out is made up. */
export interface UserInsuranceInput {
  id?: string
  user_id: string
  /** What is left out is made up. */
  insurance?: Partial<Insurance>
}

export function makeInsurance(input: UserInsuranceInput, world: World): UserInsurance {
  const id = input.id ?? world.random.uuid()
  const random = world.random.fork(`insurance/${id}`)
  const payor = random.pick(world.payors.list())
  return {
    id,
    user_id: input.user_id,
    insurance: {
      payor_code: payor.payor_code,
      member_id: `M${random.integer(100_000_000, 999_999_999)}`,
      relationship: 'Self',
      insured: insuredPerson(random),
      group_id: null,
      guarantor: null,
      is_primary: true,
      company: { name: payor.name, address: payor.address },
      ...input.insurance,
    },
    created_at: dateTime(world.clock.moment),
  }
}

function insuredPerson(random: Random): PersonDetails {
  const { first_name, last_name, gender, dob, email, phone_number } = userInfo(random)
  const address = usAddress(random)
  return {
    first_name,
    last_name,
    gender,
    dob,
    email,
    phone_number,
    address: {
      first_line: address.first_line ?? '',
      second_line: '',
      city: address.city ?? '',
      state: address.state ?? '',
      zip: address.zip_code ?? '',
      country: 'US',
      access_notes: null,
    },
  }
}

/** An insurance as it is stored: with its defaults, the payor's own code and the company. */
export function storedInsurance(
  input: InsuranceInput,
  payorCode: string,
  company: CompanyDetails,
): Insurance {
  const { member_id, relationship, insured, group_id, guarantor, is_primary } = input
  return {
    payor_code: payorCode,
    member_id,
    relationship,
    insured: { ...insured, address: storedAddress(insured.address) },
    group_id: group_id ?? null,
    guarantor: guarantor ? storedGuarantor(guarantor) : null,
    is_primary: is_primary ?? true,
    company,
  }
}

export function storedGuarantor(guarantor: GuarantorDetails): GuarantorDetails {
  return {
    first_name: guarantor.first_name,
    last_name: guarantor.last_name,
    address: storedAddress(guarantor.address),
    phone_number: guarantor.phone_number,
    email: guarantor.email ?? null,
    household_income: guarantor.household_income ?? null,
    household_size: guarantor.household_size ?? null,
  }
}

function storedAddress(address: InsuranceAddressInput): InsuranceAddressInput {
  const { first_line, second_line, city, state, zip, country, access_notes } = address
  return {
    first_line,
    second_line: second_line ?? '',
    city,
    state,
    zip,
    country,
    access_notes: access_notes ?? null,
  }
}
