/** Valid request bodies, in which cases change individual fields. */

type Body = Record<string, unknown>

export const insuranceAddress = {
  first_line: '1 Main Street',
  second_line: 'Unit 2',
  city: 'Phoenix',
  state: 'AZ',
  zip: '85004',
  country: 'US',
  access_notes: 'Ring twice',
}

export const guarantor = {
  first_name: 'Grace',
  last_name: 'Stone',
  address: insuranceAddress,
  phone_number: '+16025550101',
  email: 'grace@example.test',
  household_income: 60_000,
  household_size: 3,
}

export const insured = {
  first_name: 'Ada',
  last_name: 'Stone',
  gender: 'female',
  dob: '1980-01-02',
  email: 'ada@example.test',
  phone_number: '+16025550100',
  address: insuranceAddress,
}

export function insuranceBody(changes: Body = {}): Body {
  return {
    payor_code: 'UNLISTED',
    member_id: 'M1',
    relationship: 'Self',
    insured,
    ...changes,
  }
}

function userAddress(state = 'AZ', zip_code = '85004') {
  return { first_line: '1 Main Street', second_line: null, zip_code, state, city: 'Phoenix' }
}

export function userInfoBody(changes: Body = {}): Body {
  return {
    first_name: 'Ada',
    last_name: 'Stone',
    email: 'ada@example.test',
    phone_number: '+16025550100',
    gender: 'female',
    dob: '1980-01-02',
    address: userAddress(),
    ...changes,
  }
}

export function recipe(user_id: string, changes: Body = {}): Body {
  return {
    user_id,
    access_token: 'access',
    refresh_token: 'refresh',
    provider_id: 'user-at-the-provider',
    expires_at: 2_147_483_647,
    oauth_scopes: ['email'],
    ...changes,
  }
}

export function orderBody(user_id: string, changes: Body = {}): Body {
  const { gender, ...person } = insured
  const { email, phone_number, first_name, last_name, dob } = person
  return {
    user_id,
    patient_details: { first_name, last_name, dob, gender, phone_number, email },
    patient_address: insuranceAddress,
    ...changes,
  }
}

/** Returns the body of an aggregate query request for the 30 days ending on 31 May 2025. */
export function aggregateBody(queries: unknown[], changes: Body = {}): Body {
  return {
    timeframe: { type: 'relative', anchor: '2025-05-31', past: { unit: 'day', value: 30 } },
    queries,
    ...changes,
  }
}

/** Returns a query that aggregates `duration_second` of sleep by day, once per function. */
export function sleepQuery(funcs: readonly string[], changes: Body = {}): Body {
  return {
    select: funcs.map((func) => ({ arg: { sleep: 'duration_second' }, func })),
    group_by: [{ date_trunc: { unit: 'day', value: 1 }, arg: { index: 'sleep' } }],
    ...changes,
  }
}

export function withoutField(body: Body, field: string): Body {
  const { [field]: _, ...rest } = body
  return rest
}
