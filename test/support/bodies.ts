import type { InsuranceInput } from '../../src/contract/insurance.ts'
import type { ConnectionRecipe } from '../../src/contract/link.ts'
import type { OrderInput } from '../../src/contract/orders.ts'
import type { PersonDetails } from '../../src/contract/people.ts'
import type { UserInfoInput } from '../../src/contract/users.ts'

/** Valid request bodies; each test changes one value. */

export const userId = '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55'

export function userInfoBody(changes: Partial<UserInfoInput> = {}): UserInfoInput {
  return {
    first_name: 'Ada',
    last_name: "O'Connor",
    email: 'ada@example.test',
    phone_number: '+16025550100',
    gender: 'female',
    dob: '1980-01-02',
    address: { first_line: '1 Main Street', zip_code: '85004', state: 'AZ', city: 'Phoenix' },
    ...changes,
  }
}

export function insuredBody(changes: Partial<PersonDetails> = {}): PersonDetails {
  return {
    first_name: 'Ada',
    last_name: 'Stone',
    gender: 'female',
    dob: '1980-01-02',
    email: 'ada@example.test',
    phone_number: '+16025550100',
    address: {
      first_line: '1 Main Street',
      city: 'Phoenix',
      state: 'AZ',
      zip: '85004',
      country: 'US',
    },
    ...changes,
  }
}

export function insuranceBody(changes: Partial<InsuranceInput> = {}): InsuranceInput {
  return {
    payor_code: 'UNLISTED',
    member_id: 'M-1',
    relationship: 'Self',
    insured: insuredBody(),
    ...changes,
  }
}

export function recipe(user_id: string, changes: Partial<ConnectionRecipe> = {}): ConnectionRecipe {
  return {
    user_id,
    access_token: 'access',
    refresh_token: 'refresh',
    provider_id: 'user-at-the-provider',
    expires_at: 2_147_483_647,
    ...changes,
  }
}

export function orderBody(lab_test_id: string, changes: Partial<OrderInput> = {}): OrderInput {
  return {
    user_id: userId,
    patient_details: {
      first_name: 'Ada',
      last_name: 'Stone',
      dob: '1980-01-02',
      gender: 'female',
      phone_number: '+16025550100',
      email: 'ada@example.test',
    },
    patient_address: {
      first_line: '1 Main Street',
      city: 'Phoenix',
      state: 'AZ',
      zip: '85004',
      country: 'US',
    },
    order_set: { lab_test_ids: [lab_test_id] },
    ...changes,
  }
}
