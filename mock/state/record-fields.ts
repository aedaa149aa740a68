import type { CollectionName } from './collection-names.ts'
import { checkFields } from './plain.ts'

type Names = readonly string[]

/** Splits a list of names, which is short in this form. */
const list = (names: string): Names => names.split(' ')

/** The fields of the records, which a change can have. The schemas of the records are loaded only when they are needed. */
export const recordFields: Readonly<Record<CollectionName, Names>> = {
  users: list('user_id info created_at persona time_zone born sex living'),
  insurances: list('id user_id insurance created_at'),
  connections: list('user_id provider provider_id oauth_scopes created_at'),
  orders: list(
    'id user_id order_set collection_method status events patient_details patient_address results appointment_id created_at updated_at',
  ),
  appointments: list(
    'id user_id order_id address location start_at end_at type provider status provider_id can_reschedule event_status events order_transaction_id iana_timezone external_id appointment_notes event_data',
  ),
  providers: list('name slug description logo auth_type supported_resources source_type'),
  payors: list('payor_code name address'),
  data: list('id user_id resource values updated_at'),
  labs: list('id slug name'),
  labTests: list('id slug name description method status price lab_id marker_ids'),
  markers: list(
    'id name slug description lab_id provider_id type unit price expected_results a_la_carte_enabled test_code',
  ),
  labAccounts: list('id lab_ids'),
}

/** The fields of the input of `create` that are not those of the record. */
export const inputFields: Readonly<Partial<Record<CollectionName, Names>>> = {
  users: list('user_id info persona time_zone born connections living'),
  insurances: list('id user_id insurance'),
  data: list('id user_id resource values'),
}

/** The fields of the objects that replace single fields only. */
export const partFields: Readonly<Record<string, Names>> = {
  info: list(
    'first_name last_name email phone_number gender dob address medical_proxy race ethnicity sexual_orientation gender_identity',
  ),
  insurance: list(
    'payor_code member_id relationship insured group_id guarantor is_primary company',
  ),
}

/**
 * Checks the names of the fields of a record to create or to change. Only the given fields are looked at, because a test may
 * create a million users.
 *
 * @throws {MockError} `invalid_option`
 */
export function checkRecordInput(
  name: CollectionName,
  action: 'create' | 'update',
  input: unknown,
): void {
  const call = `${name}.${action}`
  const names = (action === 'create' && inputFields[name]) || recordFields[name]
  checkFields(input, names, `the input of ${call}`)
  // The line above checked that it is an object.
  const fields = input as Readonly<Record<string, unknown>>
  for (const [field, value] of Object.entries(fields)) {
    const parts = Object.hasOwn(partFields, field) ? partFields[field] : undefined
    if (parts && value) checkFields(value, parts, `${field} of ${call}`)
  }
}
