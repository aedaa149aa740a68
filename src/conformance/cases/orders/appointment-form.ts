import type { ObjectForm } from '../../shape.ts'

/** The form of an appointment (specification 2.6). */
export const appointment: ObjectForm = {
  id: 'uuid',
  user_id: 'uuid',
  order_id: 'uuid',
  address: {
    first_line: 'string | null',
    'second_line?': 'string',
    city: 'string | null',
    state: 'string | null',
    zip_code: 'string | null',
    'unit?': 'string',
    'access_notes?': 'string',
  },
  location: { lng: 'number', lat: 'number' },
  start_at: 'utc | null',
  end_at: 'utc | null',
  type: 'string',
  provider: 'string',
  status: 'string',
  provider_id: 'string',
  can_reschedule: 'boolean',
  event_status: 'string',
  events: ['object'],
  'order_transaction_id?': 'uuid',
  'iana_timezone?': 'zone',
  'external_id?': 'string',
  'appointment_notes?': 'note',
  'event_data?': 'object',
}

/** The fields that a booking keeps when its status changes. */
export const lastingFields = [
  'id',
  'user_id',
  'order_id',
  'address',
  'location',
  'type',
  'provider',
  'provider_id',
  'order_transaction_id',
  'iana_timezone',
  'external_id',
  'appointment_notes',
]
