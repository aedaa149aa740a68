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
import { insurance } from './targets.ts'

const person = ['first_name', 'last_name', 'phone_number', 'email']
const address = ['first_line', 'second_line', 'city', 'state', 'zip', 'country', 'access_notes']

const fields = [
  'member_id',
  'relationship',
  'group_id',
  ...[...person, 'gender', 'dob'].map((field) => `insured.${field}`),
  ...address.map((field) => `insured.address.${field}`),
  ...[...person, 'household_income', 'household_size'].map((field) => `guarantor.${field}`),
  ...address.map((field) => `guarantor.address.${field}`),
]

/** Another value of the same type. */
function distort(value: Json): Json {
  if (typeof value === 'number') return value - 1
  if (typeof value === 'boolean') return !value
  return typeof value === 'string' ? [...value].toReversed().join('').trim() : value
}

const lost = fields.map(
  (path): Mutant => ({
    rule: '4.1/response',
    name: `returns null for ${path} of an insurance`,
    between: changeResponses(
      insurance,
      change(path, () => null),
    ),
  }),
)

const stored = [
  'member_id',
  'group_id',
  'is_primary',
  'insured.phone_number',
  'guarantor.email',
].map(
  (path): Mutant => ({
    rule: '4.1/response',
    name: `stores another ${path} of an insurance than it returns`,
    between: storeWrongly(insurance, path, distort),
  }),
)

const accepted = ['payor_code', 'member_id', 'relationship', 'insured'].map(
  (field): Mutant => ({
    rule: '2.2/fields',
    name: `accepts an insurance without ${field}`,
    between: (fetch, key) => {
      let last: Json = 'Self'
      const fill = before(insurance, ({ body }) => {
        body[field] ??= last
        last = body[field]
      })
      return fill(fetch, key)
    },
  }),
)

const federal = /^(?:MEDFED|MAIDFED)$/

export const insuranceMutants: Mutant[] = [
  ...lost,
  ...stored,
  ...accepted,
  {
    rule: '2.2/company',
    name: 'returns an insurance without its company',
    between: changeResponses(insurance, drop('company')),
  },
  {
    rule: '2.2/company',
    name: 'returns the name of the company instead of the company',
    between: changeResponses(
      insurance,
      change('company', ({ name }) => name),
    ),
  },
  {
    rule: '2.2/company',
    name: 'takes the company from the request',
    between: changeResponses(insurance, (body, call) => {
      body.company = call.body.company ?? body.company
    }),
  },
  {
    rule: '2.2/company-details',
    name: 'returns the name of a company as a list',
    between: changeResponses(
      insurance,
      change('company.name', (name) => [name]),
    ),
  },
  {
    rule: '2.2/is-primary',
    name: 'makes an insurance a secondary one by default',
    between: before(insurance, ({ body }) => {
      body.is_primary ??= false
    }),
  },
  {
    rule: '2.2/is-primary',
    name: 'makes every insurance the primary one',
    between: changeResponses(insurance, (body) => {
      body.is_primary = true
    }),
  },
  {
    rule: '2.2/is-primary',
    name: 'makes only the first insurance of a user the primary one',
    between: (fetch, key) => {
      const seen = new Set<string>()
      const once = changeResponses(insurance, (body, { url }) => {
        if (seen.has(url.pathname)) body.is_primary = false
        seen.add(url.pathname)
      })
      return once(fetch, key)
    },
  },
  {
    rule: '2.2/is-primary',
    name: 'stores a secondary insurance as a primary one',
    between: storeWrongly(insurance, 'is_primary', () => true),
  },
  {
    rule: '2.2/insurance-address',
    name: 'returns null for a missing second line of the insured',
    between: changeResponses(
      insurance,
      change('insured.address.second_line', (line) => line || null),
    ),
  },
  {
    rule: '2.2/insurance-address',
    name: 'returns null for a missing second line of the guarantor',
    between: changeResponses(
      insurance,
      change('guarantor.address.second_line', (line) => line || null),
    ),
  },
  {
    rule: '2.2/insurance-address',
    name: 'rejects null for a second line',
    between: rejectCalls(insurance, ({ body }) => body.insured.address.second_line === null),
  },
  {
    rule: '2.2/insurance-address',
    name: 'accepts a number for a zip',
    between: before(insurance, ({ body }) => {
      if (typeof body.insured.address.zip === 'number') body.insured.address.zip = '85004'
    }),
  },
  {
    rule: '2.2/insurance-address',
    name: 'swaps the city and the state of a guarantor',
    between: changeResponses(insurance, ({ guarantor }) => {
      const { city, state } = guarantor.address
      Object.assign(guarantor.address, { city: state, state: city })
    }),
  },
  {
    rule: '2.2/guarantor',
    name: 'returns the address of the insured as that of the guarantor',
    between: changeResponses(insurance, ({ guarantor, insured }) => {
      guarantor.address = insured.address
    }),
  },
  {
    rule: '2.2/guarantor',
    name: 'uses the insured as the guarantor by default',
    between: changeResponses(insurance, (body) => {
      const { gender: _, dob: __, ...insured } = body.insured
      body.guarantor ??= insured
    }),
  },
  {
    rule: '2.2/guarantor',
    name: 'drops the guarantor when the relationship is Self',
    between: changeResponses(insurance, (body) => {
      if (body.relationship === 'Self') body.guarantor = null
    }),
  },
  {
    rule: '2.2/guarantor',
    name: 'returns the household income as a string',
    between: changeResponses(insurance, change('guarantor.household_income', String)),
  },
  {
    rule: '2.2/guarantor',
    name: 'accepts a fraction for the household income',
    between: before(insurance, ({ body }) => {
      body.guarantor.household_income = Math.trunc(body.guarantor.household_income) || 1
    }),
  },
  {
    rule: '2.2/guarantor',
    name: 'rejects a household of one person',
    only: ['2.2', '4.1'],
    between: rejectCalls(insurance, ({ body }) => body.guarantor.household_size === 1),
  },
  {
    rule: '2.2/fields',
    name: 'accepts a string for is_primary',
    between: before(insurance, ({ body }) => {
      if (typeof body.is_primary === 'string') body.is_primary = true
    }),
  },
  {
    rule: '2.2/fields',
    name: 'accepts a number for a member id',
    between: before(insurance, ({ body }) => {
      if (typeof body.member_id === 'number') body.member_id = String(body.member_id)
    }),
  },
  {
    rule: '2.2/fields',
    name: 'stores an insurance that it rejects',
    between: changeDespiteError(insurance, ({ body }) => {
      body.member_id = 'none'
    }),
  },
  {
    rule: '2.2/person',
    name: 'accepts an insured whose dob does not exist',
    between: before(insurance, ({ body }) => {
      if (body.insured.dob === '1980-04-31') body.insured.dob = '1980-04-30'
    }),
  },
  {
    rule: '2.2/person',
    name: 'accepts a list for the email of an insured',
    between: before(insurance, ({ body }) => {
      if (Array.isArray(body.insured.email)) body.insured.email = 'x@example.test'
    }),
  },
  {
    rule: '2.2/relationship',
    name: 'returns relationships in lower case',
    between: changeResponses(
      insurance,
      change('relationship', (text) => text.toLowerCase()),
    ),
  },
  {
    rule: '2.2/relationship',
    name: 'rejects the relationship Other',
    between: rejectCalls(insurance, ({ body }) => body.relationship === 'Other'),
  },
  {
    rule: '2.2/group-id',
    name: 'rejects null for a group id',
    between: rejectCalls(insurance, ({ body }) => body.group_id === null),
  },
  {
    rule: '2.2/group-id',
    name: 'uses the member id as the group id by default',
    between: changeResponses(insurance, (body) => {
      body.group_id ??= body.member_id
    }),
  },
  {
    rule: '4.1/path',
    name: 'returns the first insurance of a user again',
    between: stick(insurance, ({ url }) => url.pathname),
  },
  {
    rule: '4.1/path',
    name: 'returns the insurance of the first user with the same member id',
    between: stick(insurance, ({ body }) => body?.member_id?.slice(0, 4)),
  },
  {
    rule: '4.1/path',
    name: 'adds every insurance to the first user',
    between: withFirst((first) =>
      before(insurance, ({ url }) => {
        url.pathname = first(url.pathname)
      }),
    ),
  },
  {
    rule: '4.1/response',
    name: 'creates every insurance twice',
    between: (fetch) => async (input, init) => {
      if (String(input).endsWith('/insurance')) await fetch(input, init)
      return fetch(input, init)
    },
  },
  {
    rule: '4.1/inference',
    name: 'returns MEDFED unchanged',
    between: changeResponses(insurance, (body, call) => {
      body.payor_code = call.body.payor_code
    }),
  },
  {
    rule: '4.1/inference',
    name: 'stores another plan than it returns',
    between: storeWrongly(insurance, 'payor_code', (code) => (federal.test(code) ? 'MEDVT' : code)),
  },
  {
    rule: '4.1/inference',
    name: 'infers one regional plan for every state',
    between: changeResponses(insurance, (body, call) => {
      if (call.body.payor_code === 'MAIDFED') body.payor_code = 'MAIDNY'
    }),
  },
  {
    rule: '4.1/inference',
    name: 'infers the plan for low income for both codes',
    between: before(insurance, ({ body }) => {
      if (body.payor_code === 'MEDFED') body.payor_code = 'MAIDFED'
    }),
  },
  {
    rule: '4.1/inference',
    name: 'infers the plan of the first patient for everyone',
    between: withFirst((first) =>
      changeResponses(insurance, (body, call) => {
        if (!federal.test(call.body.payor_code)) return
        body.payor_code = first(body.payor_code)
      }),
    ),
  },
  {
    rule: '4.1/inference',
    name: 'keeps the plan of a patient who moved',
    between: (fetch, key) => {
      const first = new Map<string, string>()
      const keep = changeResponses(insurance, (body, { url, body: sent }) => {
        if (!federal.test(sent.payor_code)) return
        const known = first.get(url.pathname + sent.payor_code) ?? body.payor_code
        first.set(url.pathname + sent.payor_code, known)
        body.payor_code = known
      })
      return keep(fetch, key)
    },
  },
  {
    rule: '4.1/inference',
    name: 'infers the plan of another code after an inferred one',
    between: (fetch, key) => {
      let isInferred = false
      const keep = changeResponses(insurance, (body, { body: sent }) => {
        if (isInferred && !federal.test(sent.payor_code)) body.payor_code = 'MEDTX'
        isInferred = federal.test(sent.payor_code)
      })
      return keep(fetch, key)
    },
  },
  {
    rule: '4.1/inference',
    name: 'drops the group of an insurance with an inferred plan',
    between: changeResponses(insurance, (body, { body: sent }) => {
      if (federal.test(sent.payor_code)) body.group_id = null
    }),
  },
  {
    rule: '4.1/inference',
    name: 'infers the plan from the address of the insured',
    assumes: true,
    between: changeResponses(insurance, (body, { body: sent }) => {
      if (sent.payor_code === 'MEDFED') body.payor_code = `MED${sent.insured.address.state}`
    }),
  },
]
