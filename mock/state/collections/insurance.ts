import type { CompanyDetails, Insurance, InsuranceInput } from '../../../src/contract/insurance.ts'
import type {
  GuarantorDetails,
  InsuranceAddressInput,
  PersonDetails,
} from '../../../src/contract/people.ts'
import { makePatient, postalAddress } from '../../reference-data/people.ts'
import type { Random } from '../../reference-data/random.ts'
import { checkUser } from '../check-options.ts'
import { dateTime } from '../clock/time.ts'
import type { RecordPort } from '../ports.ts'
import type { UserInsurance, UserInsuranceInput } from '../records/insurance.ts'

/**
 * Creates an insurance record, by default with a generated person and one of the team's payors.
 *
 * @throws {MockError} `unknown_record` if the team has no user with this id.
 */
export function makeInsurance(input: UserInsuranceInput, team: RecordPort): UserInsurance {
  checkUser(input.user_id, team.users)
  const id = input.id ?? team.random.uuid()
  const random = team.random.fork(`insurance/${id}`)
  const payor = random.pick(team.payors.list())
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
    created_at: dateTime(team.clock.moment),
  }
}

function insuredPerson(random: Random): PersonDetails {
  const person = makePatient(random)
  return { ...person, address: { ...postalAddress(random), second_line: '' } }
}

export function toStoredInsurance(
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
    guarantor: guarantor ? toStoredGuarantor(guarantor) : null,
    is_primary: is_primary ?? true,
    company,
  }
}

export function toStoredGuarantor(guarantor: GuarantorDetails): GuarantorDetails {
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
