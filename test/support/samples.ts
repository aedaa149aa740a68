import type {
  Appointment,
  Insurance,
  InsuranceInput,
  OrderInput,
  UserInfo,
} from '../../src/index.ts'

export const userId = '0b5cc8f2-2b45-4a7f-9d5d-2b8f0a3b0c11'
export const orderId = '6e0bd0a8-9d43-4d47-8e0c-7d2b0f5d5a02'
export const labTestId = '5c1f4a11-0d35-4a52-9d5e-2f9b64d7f103'

export const userInfo = {
  first_name: 'Jane',
  last_name: 'Doe',
  email: 'jane@example.com',
  phone_number: '+14155550100',
  gender: 'female',
  dob: '1980-02-29',
  address: {
    first_line: '1 Main St',
    second_line: null,
    zip_code: '94105',
    state: 'CA',
    city: 'San Francisco',
  },
} satisfies UserInfo

export const insuranceAddress = {
  first_line: '1 Main St',
  second_line: '',
  city: 'San Francisco',
  state: 'CA',
  zip: '94105',
  country: 'US',
}

export const insuranceInput = {
  payor_code: 'MEDFED',
  member_id: 'M-1',
  relationship: 'Self',
  insured: {
    first_name: 'Jane',
    last_name: 'Doe',
    gender: 'female',
    dob: '1980-02-29',
    email: 'jane@example.com',
    phone_number: '+14155550100',
    address: insuranceAddress,
  },
} satisfies InsuranceInput

export const insurance = {
  ...insuranceInput,
  payor_code: 'MEDCA',
  group_id: null,
  is_primary: true,
  company: { name: 'Medicare of California', address: insuranceAddress },
} satisfies Insurance

export const orderInput = {
  user_id: userId,
  patient_details: {
    first_name: 'Jane',
    last_name: 'Doe',
    dob: '1980-02-29',
    gender: 'female',
    phone_number: '+14155550100',
    email: 'jane@example.com',
  },
  patient_address: insuranceAddress,
  order_set: { lab_test_ids: [labTestId] },
} satisfies OrderInput

export const appointment = {
  id: 'a3f1c2d4-7b8e-4f6a-9c0d-1e2f3a4b5c04',
  user_id: userId,
  order_id: orderId,
  address: { first_line: '1 Main St', city: 'San Francisco', state: 'CA', zip_code: '94105' },
  location: { lng: -122.4, lat: 37.8 },
  start_at: '2025-06-03T16:00:00Z',
  end_at: '2025-06-03T17:00:00Z',
  type: 'phlebotomy',
  provider: 'getlabs',
  status: 'confirmed',
  provider_id: 'GL-1',
  can_reschedule: true,
  event_status: 'scheduled',
  events: [{ created_at: '2025-06-01T09:00:00Z', status: 'scheduled', data: null }],
  order_transaction_id: null,
  iana_timezone: 'America/Los_Angeles',
  external_id: null,
  appointment_notes: 'Ring twice',
  event_data: null,
} satisfies Appointment

export const provider = {
  name: 'Oura',
  slug: 'oura',
  description: 'A ring that measures sleep',
  logo: null,
  auth_type: 'oauth',
  supported_resources: ['sleep', 'activity'],
}

export const recipe = {
  user_id: userId,
  access_token: 'access',
  refresh_token: 'refresh',
  provider_id: 'provider-1',
  expires_at: 2147483647,
  oauth_scopes: ['email'],
}

export const marker = {
  id: 1,
  name: 'Glucose',
  slug: 'glucose',
  description: 'Sugar in the blood',
  lab_id: 1,
  provider_id: '001032',
  type: 'biomarker',
  unit: 'mg/dL',
  price: '10.00',
  expected_results: [
    {
      id: 7,
      name: 'Glucose',
      slug: 'glucose',
      lab_id: 1,
      provider_id: '001032',
      loinc: { id: 9, name: 'Glucose', slug: 'glucose', code: '2345-7', unit: 'mg/dL' },
    },
  ],
}

export const markerPage = { markers: [marker], total: 1, page: 1, size: 50, pages: 1 }
