import { isObject } from '../../../shared/narrow.ts'
import { assertThat } from '../../assertions.ts'
import { completeInsurance, type Variant } from '../../bodies/people.ts'
import type { TestedService } from '../../service.ts'
import { fieldOf, type ObjectForm } from '../../shape.ts'

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

export const personShape: ObjectForm = {
  'first_name?': 'string',
  'last_name?': 'string',
  'gender?': 'string',
  'dob?': 'date',
  'email?': 'string',
  'phone_number?': 'string',
  'address?': addressShape,
}

/** The fields of an insurance record in a request. */
export const insuranceFields: ObjectForm = {
  payor_code: 'string',
  member_id: 'string',
  relationship: 'string',
  insured: personShape,
  'group_id?': 'string',
  'guarantor?': guarantorShape,
  'is_primary?': 'boolean',
}

export const insuranceShape: ObjectForm = {
  ...insuranceFields,
  company: { 'name?': 'string', 'address?': addressShape },
}

export function assertHasCompany(insurance: unknown): void {
  const hasCompany = isObject(fieldOf(insurance, 'company'))
  assertThat(hasCompany, 'Expected company to be an object, but found none.')
}

type Body = Record<string, unknown>

export async function insuranceOf(
  service: TestedService,
  variant: Variant,
  changes: Body = {},
): Promise<Body> {
  const [first, second] = await service.payorCodes()
  const payor_code = variant === 'first' ? first : second
  return { payor_code, ...completeInsurance(variant), ...changes }
}

export function create(service: TestedService, user_id: string, body: Body): Promise<unknown> {
  return service.read('insurance.create', { params: { user_id }, body })
}

export async function createWith(service: TestedService, changes: Body): Promise<unknown> {
  return create(service, await service.user(), await insuranceOf(service, 'first', changes))
}
