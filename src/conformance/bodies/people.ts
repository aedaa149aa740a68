/**
 * Bodies with every field. Almost all values in a body differ, so swapped fields are detected. The two variants differ
 * in every field. Some values are easy to corrupt: leading zeros, zero, long strings and special characters.
 */

export type Variant = 'first' | 'second'

/** Returns user info with every field in section 2.1 of the specification. */
export function completeUserInfo(variant: Variant) {
  return {
    first: {
      first_name: 'Ada',
      last_name: 'Stone',
      email: 'ada.stone+lab@example.test',
      phone_number: '+16025550101',
      gender: 'female',
      dob: '1980-01-02',
      address: {
        first_line: '1 Main Street',
        second_line: 'Unit 2',
        zip_code: '02139',
        state: 'MA',
        city: 'Cambridge',
      },
      medical_proxy: completeGuarantor('second'),
      race: 'asian',
      ethnicity: 'hispanic',
      sexual_orientation: 'bisexual',
      gender_identity: 'genderqueer',
    },
    second: {
      first_name: 'Grace',
      last_name: 'Hill',
      email: "g.o'hill@mail.example.test",
      phone_number: '+12125550199',
      gender: 'prefers another word',
      dob: '1996-02-29',
      address: {
        first_line: '20 West 34th Street',
        second_line: 'Floor 7',
        zip_code: '10001',
        state: 'NY',
        city: 'New York',
      },
      medical_proxy: completeGuarantor('first'),
      race: 'white_caucasian',
      ethnicity: 'ashkenazi_jewish',
      sexual_orientation: 'dont_know',
      gender_identity: 'female',
    },
  }[variant]
}

/** Returns user info with only the required fields and `changes`. */
export function userInfoBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  const { medical_proxy, race, ethnicity, sexual_orientation, gender_identity, ...required } =
    completeUserInfo('first')
  return { ...required, ...changes }
}

/** Returns an insurance record with every field in section 2.2 of the specification except payor_code and company. */
export function completeInsurance(variant: Variant) {
  return {
    first: {
      member_id: '00120',
      relationship: 'Spouse',
      insured: completePerson('first'),
      group_id: '007',
      guarantor: completeGuarantor('first'),
      is_primary: true,
    },
    second: {
      member_id: 'X-9/B 4',
      relationship: 'Other',
      insured: completePerson('second'),
      group_id: 'H 8',
      guarantor: completeGuarantor('second'),
      is_primary: false,
    },
  }[variant]
}

export function completePerson(variant: Variant) {
  return {
    first: {
      first_name: 'Maria',
      last_name: 'Rivers',
      gender: 'male',
      dob: '1975-12-31',
      email: 'maria.rivers@example.test',
      phone_number: '+14155550111',
      address: completeAddress('insured'),
    },
    second: {
      first_name: 'John',
      last_name: 'Woods',
      gender: 'unknown',
      dob: '2000-02-29',
      email: 'john.woods@example.test',
      phone_number: '+17185550122',
      address: completeAddress('other insured'),
    },
  }[variant]
}

function completeGuarantor(variant: Variant) {
  return {
    first: {
      first_name: 'Paul',
      last_name: 'Lake',
      address: completeAddress('guarantor'),
      phone_number: '+13035550133',
      email: 'paul.lake@example.test',
      household_income: 61_237,
      household_size: 3,
    },
    second: {
      first_name: 'Vera',
      last_name: 'Field',
      address: completeAddress('other guarantor'),
      phone_number: '+15035550144',
      email: 'vera.field@example.test',
      household_income: 0,
      household_size: 1,
    },
  }[variant]
}

export function completeAddress(of: keyof typeof addresses) {
  return { ...addresses[of] }
}

const addresses = {
  insured: {
    first_line: '350 Market Street',
    second_line: 'Apt 11',
    city: 'San Francisco',
    state: 'CA',
    zip: '94105',
    country: 'US',
    access_notes: 'Ring twice',
  },
  'other insured': {
    first_line: '5 Flatbush Avenue',
    second_line: 'Suite 12',
    city: 'Brooklyn',
    state: 'NY',
    zip: '01201',
    country: 'USA',
    access_notes: `Side door${', then left'.repeat(30)}`,
  },
  guarantor: {
    first_line: '16 Larimer Square',
    second_line: 'Rear',
    city: 'Denver',
    state: 'CO',
    zip: '80202',
    country: 'US',
    access_notes: 'Gate <3> & "code" #5; naïve dog – 犬 🐕',
  },
  'other guarantor': {
    first_line: '9 Burnside Road',
    second_line: 'House B',
    city: 'Portland',
    state: 'OR',
    zip: '97205',
    country: 'USA',
    access_notes: 'Beware of the dog',
  },
} as const
