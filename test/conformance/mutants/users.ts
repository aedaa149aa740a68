import {
  before,
  change,
  changeDespiteError,
  changeResponses,
  drop,
  type Json,
  type Mutant,
  rejectCalls,
  stick,
  storeWrongly,
  withFirst,
} from '../mutant.ts'
import { info } from './targets.ts'

const fields = [
  'first_name',
  'last_name',
  'email',
  'phone_number',
  'gender',
  'dob',
  'race',
  'ethnicity',
  'sexual_orientation',
  'gender_identity',
  'address.first_line',
  'address.second_line',
  'address.zip_code',
  'address.state',
  'address.city',
  'medical_proxy.first_name',
  'medical_proxy.last_name',
  'medical_proxy.phone_number',
  'medical_proxy.email',
  'medical_proxy.household_income',
  'medical_proxy.household_size',
  'medical_proxy.address.zip',
  'medical_proxy.address.country',
  'medical_proxy.address.access_notes',
]

/** Another value of the same type. */
function distort(value: Json): Json {
  if (typeof value === 'number') return value + 1
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return '1970-01-01'
  return typeof value === 'string' ? value.slice(0, -1) : value
}

const lost = fields.map(
  (path): Mutant => ({
    rule: path.startsWith('address') ? '2.1/address' : '2.1/fields',
    name: `does not return ${path} of user info`,
    only: ['2.1', '4.2'],
    between: changeResponses(info, drop(path)),
  }),
)

const stored = fields.map(
  (path): Mutant => ({
    rule: '4.2/response',
    name: `stores another ${path} of user info than it returns`,
    between: storeWrongly(info, path, distort),
  }),
)

const accepted = ['first_name', 'last_name', 'email', 'phone_number', 'gender', 'dob', 'address']
const substitutes: Record<string, Json> = {
  email: 'x@example.test',
  dob: '1980-01-02',
  address: { first_line: '1 Main', zip_code: '85004', state: 'AZ', city: 'Phoenix' },
}

const missing = accepted.map(
  (field): Mutant => ({
    rule: '2.1/fields',
    name: `accepts user info without ${field}`,
    between: before(info, ({ body }) => {
      if (typeof body === 'object' && !(field in body)) body[field] = substitutes[field] ?? 'Ada'
    }),
  }),
)

export const usersMutants: Mutant[] = [
  ...lost,
  ...stored,
  ...missing,
  {
    rule: '4.2/response',
    name: 'never updates user info after the first time',
    between: stick(info, ({ url }) => url.pathname),
  },
  {
    rule: '4.2/path',
    name: 'returns the info of the first user to every user',
    between: stick(info),
  },
  {
    rule: '4.2/response',
    name: 'returns the info of the previous update',
    between: (fetch, key) => {
      let previous: Json
      const delay = changeResponses(info, (body) => {
        const current = { ...body }
        if (previous) Object.assign(body, previous)
        previous = current
      })
      return delay(fetch, key)
    },
  },
  {
    rule: '4.2/path',
    name: 'updates the first user of the team, whatever the path',
    between: withFirst((first) =>
      before(info, ({ url }) => {
        url.pathname = first(url.pathname)
      }),
    ),
  },
  {
    rule: '4.2/response',
    name: 'keeps the first phone number of a user',
    between: (fetch, key) => {
      const first = new Map<string, string>()
      const keep = changeResponses(info, (body, { url }) => {
        const known = first.get(url.pathname) ?? body.phone_number
        first.set(url.pathname, known)
        body.phone_number = known
      })
      return keep(fetch, key)
    },
  },
  {
    rule: '2.1/fields',
    name: 'accepts null for a phone number',
    between: before(info, ({ body }) => {
      body.phone_number ??= '+16025550100'
    }),
  },
  {
    rule: '2.1/fields',
    name: 'stores valid parts of invalid user info',
    between: changeDespiteError(info, ({ body }) => {
      if (typeof body.phone_number !== 'string') body.phone_number = '+16025550100'
    }),
  },
  {
    rule: '2.1/email',
    name: 'accepts any string for an email',
    between: before(info, ({ body }) => {
      if (typeof body.email === 'string') body.email = 'x@example.test'
    }),
  },
  {
    rule: '2.1/email',
    name: 'accepts an email without a domain',
    between: before(info, ({ body }) => {
      if (body.email.endsWith('@')) body.email += 'example.test'
    }),
  },
  {
    rule: '2.1/email',
    name: 'accepts an email with a space',
    between: before(info, ({ body }) => {
      body.email = body.email.replace(' ', '.')
    }),
  },
  {
    rule: '2.1/email',
    name: 'rejects an email with a plus sign',
    between: rejectCalls(info, ({ body }) => body.email.includes('+')),
  },
  {
    rule: '2.1/fields',
    name: 'returns emails in lower case',
    between: changeResponses(
      info,
      change('email', (email) => email.toLowerCase()),
    ),
  },
  {
    rule: '2.1/email-response',
    name: 'returns the email as an object',
    between: changeResponses(
      info,
      change('email', (address) => ({ address })),
    ),
  },
  {
    rule: '2.1/dob',
    name: 'accepts the 30th of February for a dob',
    between: before(info, ({ body }) => {
      if (body.dob === '1980-02-30') body.dob = '1980-02-28'
    }),
  },
  {
    rule: '2.1/dob',
    name: 'accepts the 29th of February in any year for a dob',
    between: before(info, ({ body }) => {
      if (/^(?:1981|1900)-02-29$/.test(body.dob)) body.dob = '1980-02-29'
    }),
  },
  {
    rule: '2.1/dob',
    name: 'accepts a dob of the form month, day, year',
    between: before(info, ({ body }) => {
      body.dob = body.dob.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$1-$2')
    }),
  },
  {
    rule: '2.1/dob',
    name: 'accepts a dob with a time',
    between: before(info, ({ body }) => {
      body.dob = body.dob.slice(0, 10)
    }),
  },
  {
    rule: '2.1/dob',
    name: 'rejects the 29th of February in a leap year',
    between: rejectCalls(info, ({ body }) => body.dob === '2000-02-29'),
  },
  {
    rule: '2.1/dob',
    name: 'returns the dob with a time',
    only: ['2.1', '4.2'],
    between: changeResponses(
      info,
      change('dob', (dob) => `${dob}T00:00:00Z`),
    ),
  },
  {
    rule: '2.1/dob',
    name: 'returns the day before the dob',
    only: ['2.1', '4.2'],
    between: changeResponses(
      info,
      change('dob', (dob) => new Date(Date.parse(dob) - 1).toISOString().slice(0, 10)),
    ),
  },
  {
    rule: '2.1/fields',
    name: 'accepts a number for a first name',
    between: before(info, ({ body }) => {
      if (typeof body.first_name === 'number') body.first_name = String(body.first_name)
    }),
  },
  {
    rule: '2.1/fields',
    name: 'accepts a list for a gender',
    between: before(info, ({ body }) => {
      if (Array.isArray(body.gender)) body.gender = body.gender[0]
    }),
  },
  {
    rule: '2.1/address',
    name: 'accepts a number for a zip code',
    between: before(info, ({ body }) => {
      if (typeof body.address.zip_code === 'number') body.address.zip_code = '85004'
    }),
  },
  {
    rule: '2.1/optional',
    name: 'accepts a number for an ethnicity',
    between: before(info, ({ body }) => {
      if (typeof body.ethnicity === 'number') body.ethnicity = 'other'
    }),
  },
  {
    rule: '2.1/medical-proxy',
    name: 'drops the medical proxy',
    between: changeResponses(info, (body) => {
      body.medical_proxy = null
    }),
  },
  {
    rule: '2.1/medical-proxy',
    name: 'invents a medical proxy',
    between: changeResponses(info, (body) => {
      body.medical_proxy ??= { first_name: body.first_name, last_name: body.last_name }
    }),
  },
  {
    rule: '2.1/medical-proxy',
    name: 'accepts a fraction for the household size of a medical proxy',
    between: before(info, ({ body }) => {
      body.medical_proxy.household_size = Math.trunc(body.medical_proxy.household_size) || 1
    }),
  },
  {
    rule: '2.1/medical-proxy',
    name: 'returns null for a missing second line of a medical proxy',
    between: changeResponses(
      info,
      change('medical_proxy.address.second_line', (line) => line || null),
    ),
  },
  {
    rule: '2.1/enumerations',
    name: 'drops a race that it does not know',
    between: changeResponses(
      info,
      change('race', (race) => (race === 'pacific_islander_or_hawaiian' ? 'other' : race)),
    ),
  },
  {
    rule: '2.1/enumerations',
    name: 'rejects a gender identity of the list',
    between: rejectCalls(info, ({ body }) => body.gender_identity?.startsWith('female_to_male')),
  },
  {
    rule: '2.1/enumerations',
    name: 'rejects a sexual orientation of the list',
    between: rejectCalls(info, ({ body }) => body.sexual_orientation === 'dont_know'),
  },
  {
    rule: '2.1/optional',
    name: 'rejects null for an ethnicity',
    between: rejectCalls(info, ({ body }) => body.ethnicity === null),
  },
  {
    rule: '2.1/optional',
    name: 'stores other as the race by default',
    between: changeResponses(info, (body) => {
      body.race ??= 'other'
    }),
  },
  {
    rule: '2.1/optional',
    name: 'returns the gender identity of the update before',
    between: (fetch, key) => {
      let last: Json
      const keep = changeResponses(info, (body) => {
        body.gender_identity ??= last
        last = body.gender_identity
      })
      return keep(fetch, key)
    },
  },
  {
    rule: '2.1/address',
    name: 'rejects null for the second line of an address',
    between: rejectCalls(info, ({ body }) => body?.address?.second_line === null),
  },
  {
    rule: '2.1/address',
    name: 'keeps the city of the previous address',
    only: ['2.1', '4.2'],
    between: (fetch, key) => {
      let city: Json
      const keep = changeResponses(info, (body) => {
        city ??= body.address.city
        body.address.city = city
      })
      return keep(fetch, key)
    },
  },
  {
    rule: '2.1/gender',
    name: 'rejects a gender it does not know',
    between: rejectCalls(info, ({ body }) => !['female', 'male'].includes(body?.gender)),
  },
  {
    rule: '2.1/gender',
    name: 'returns genders in lower case',
    between: changeResponses(
      info,
      change('gender', (gender) => gender.toLowerCase()),
    ),
  },
  {
    rule: '2.1/required-response',
    name: 'returns user info without the address',
    between: changeResponses(info, drop('address')),
  },
  {
    rule: '4.2/body',
    name: 'merges user info instead of replacing it',
    assumes: true,
    between: changeResponses(info, (body) => {
      body.race ??= 'asian'
    }),
  },
  {
    rule: '2.1/fields',
    name: 'accepts names with accents',
    assumes: true,
    between: before(info, ({ body }) => {
      body.first_name = body.first_name.replace('é', 'e')
    }),
  },
]
