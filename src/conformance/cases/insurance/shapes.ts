import type { ObjectForm } from '../../shape.ts'

export const addressShape: ObjectForm = {
  'first_line?': 'string',
  'second_line?': 'string',
  'city?': 'string',
  'state?': 'string',
  'zip?': 'string',
  'country?': 'string',
  'access_notes?': 'string',
}

export const guarantorShape: ObjectForm = {
  'first_name?': 'string',
  'last_name?': 'string',
  'address?': addressShape,
  'phone_number?': 'string',
  'email?': 'string',
  'household_income?': 'integer',
  'household_size?': 'integer',
}

const personShape: ObjectForm = {
  'first_name?': 'string',
  'last_name?': 'string',
  'gender?': 'string',
  'dob?': 'date',
  'email?': 'string',
  'phone_number?': 'string',
  'address?': addressShape,
}

export const insuranceShape: ObjectForm = {
  payor_code: 'string',
  member_id: 'string',
  relationship: 'string',
  insured: personShape,
  'group_id?': 'string',
  'guarantor?': guarantorShape,
  'is_primary?': 'boolean',
  company: { 'name?': 'string', 'address?': addressShape },
}
