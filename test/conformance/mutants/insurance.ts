import { before, changeResponses, type Mutant } from '../mutant.ts'

const insurance = /^POST .*\/insurance$/

export const insuranceMutants: Mutant[] = [
  {
    name: 'returns an insurance without its company',
    only: ['2.2'],
    between: changeResponses(insurance, (body) => {
      delete body.company
    }),
  },
  {
    name: 'makes an insurance a secondary one by default',
    only: ['2.2'],
    between: before(insurance, ({ body }) => {
      body.is_primary ??= false
    }),
  },
  {
    name: 'makes every insurance the primary one',
    only: ['2.2'],
    between: changeResponses(insurance, (body) => {
      body.is_primary = true
    }),
  },
  {
    name: 'returns null for a missing second line',
    only: ['2.2'],
    between: changeResponses(insurance, ({ insured }) => {
      insured.address.second_line ||= null
    }),
  },
  {
    name: 'stores MEDFED unchanged',
    only: ['4.1'],
    between: changeResponses(insurance, (body, call) => {
      body.payor_code = call.body.payor_code
    }),
  },
  {
    name: 'infers one regional plan for every state',
    only: ['4.1'],
    between: changeResponses(insurance, (body, call) => {
      if (call.body.payor_code === 'MAIDFED') body.payor_code = 'MAIDNY'
    }),
  },
  {
    name: 'accepts an insurance without a member id',
    only: ['2.2'],
    between: before(insurance, ({ body }) => {
      body.member_id ??= 'none'
    }),
  },
  {
    name: 'returns the household income as a string',
    only: ['2.1', '2.2'],
    between: changeResponses(insurance, ({ guarantor }) => {
      if (guarantor) guarantor.household_income = String(guarantor.household_income)
    }),
  },
  {
    name: 'drops the group id',
    only: ['2.2'],
    between: changeResponses(insurance, (body) => {
      body.group_id = null
    }),
  },
  {
    name: 'accepts a string for is_primary',
    only: ['2.2'],
    between: before(insurance, ({ body }) => {
      if (typeof body.is_primary === 'string') body.is_primary = true
    }),
  },
  {
    name: 'returns relationships in lower case',
    only: ['2.2', '4.1'],
    between: changeResponses(insurance, (body) => {
      body.relationship = body.relationship.toLowerCase()
    }),
  },
  {
    name: 'drops the access notes of an address',
    only: ['2.2'],
    between: changeResponses(insurance, ({ insured }) => {
      insured.address.access_notes = null
    }),
  },
]
