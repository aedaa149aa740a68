import { defineRules } from './rule.ts'

export const recordRules = defineRules({
  '2.1/fields': {
    table: 'The fields of user info',
    quotes: [
      '| phone_number | string | yes | |',
      '| first_name | string | yes | subject to lab-driven name validation |',
      '| last_name | string | yes | subject to lab-driven name validation |',
      '| email | string, format email | yes | |',
      '| gender | string | yes | free string in the schema |',
      '| dob | string, date | yes | |',
      '| address | UserAddress | yes | |',
      '| medical_proxy | GuarantorDetails | no | |',
      '| race | enum or null | no | non-exhaustive |',
      '| ethnicity | enum or null | no | non-exhaustive |',
      '| sexual_orientation | enum or null | no | non-exhaustive |',
      '| gender_identity | enum or null | no | non-exhaustive |',
    ],
  },
  '2.1/email': '| email | string, format email | yes | |',
  '2.1/dob': '| dob | string, date | yes | |',
  '2.1/gender': '| gender | string | yes | free string in the schema |',
  '2.1/name-validation': {
    quotes: [
      '| first_name | string | yes | subject to lab-driven name validation |',
      '| last_name | string | yes | subject to lab-driven name validation |',
    ],
    reason: 'The specification does not state the validation rules.',
  },
  '2.1/medical-proxy': '| medical_proxy | GuarantorDetails | no | |',
  '2.1/optional': [
    '| race | enum or null | no | non-exhaustive |',
    '| ethnicity | enum or null | no | non-exhaustive |',
    '| sexual_orientation | enum or null | no | non-exhaustive |',
    '| gender_identity | enum or null | no | non-exhaustive |',
  ],
  '2.1/required-response':
    'In the response all fields above except `medical_proxy`, `race`, `ethnicity`, `sexual_orientation` and `gender_identity` are required.',
  '2.1/email-response': '`email` is a plain string there.',
  '2.1/address':
    'UserAddress has the fields `first_line`, `second_line` (may be null), `zip_code`, `state`, `city`.',
  '2.1/enumerations': {
    table: 'The values of race, ethnicity, sexual_orientation and gender_identity',
    quotes: [
      '| race | african_american_or_black, asian, indigenous_native_american_alaska_native, other, pacific_islander_or_hawaiian, white_caucasian |',
      '| ethnicity | hispanic, non_hispanic, ashkenazi_jewish, other |',
      '| sexual_orientation | lesbian_gay_or_homosexual, heterosexual_or_straight, bisexual, dont_know, other |',
      '| gender_identity | male, female, female_to_male_ftm_transgender_male_trans_man, male_to_female_mtf_transgender_female_trans_woman, genderqueer, other |',
    ],
  },
  '2.2/fields': {
    table: 'The fields of an insurance record',
    quotes: [
      '| member_id | string | yes | |',
      '| payor_code | string | yes | also accepts the two inference codes in 4.1 |',
      '| relationship | enum | yes | Self, Spouse, Other (non-exhaustive) |',
      '| insured | PersonDetails | yes | |',
      '| group_id | string or null | no | |',
      '| guarantor | GuarantorDetails | no | |',
      '| is_primary | boolean | no | default true |',
      '| company | CompanyDetails | response only, required there | |',
    ],
  },
  '2.2/payor-code': '| payor_code | string | yes | also accepts the two inference codes in 4.1 |',
  '2.2/relationship': '| relationship | enum | yes | Self, Spouse, Other (non-exhaustive) |',
  '2.2/group-id': '| group_id | string or null | no | |',
  '2.2/is-primary': '| is_primary | boolean | no | default true |',
  '2.2/company': '| company | CompanyDetails | response only, required there | |',
  '2.2/person': {
    table: 'The fields of PersonDetails',
    quotes: [
      '| dob | string, date |',
      '| first_name | string |',
      '| last_name | string |',
      '| gender | string |',
      '| email | string |',
      '| phone_number | string |',
      '| address | InsuranceAddress |',
    ],
  },
  '2.2/insurance-address':
    'InsuranceAddress has the fields `first_line`, `second_line` (defaults to empty string, may be null on input), `city`, `state`, `zip`, `country`, `access_notes`.',
  '2.2/company-details': 'CompanyDetails has `name` (string) and `address` (InsuranceAddress).',
  '2.2/guarantor': {
    table: 'The fields of GuarantorDetails',
    quotes: [
      '| household_size | integer |',
      '| first_name | string |',
      '| last_name | string |',
      '| address | InsuranceAddress |',
      '| phone_number | string |',
      '| email | string |',
      '| household_income | integer |',
    ],
  },
  '2.3/fields': {
    table: 'The fields of a sign-in token',
    quotes: ['| sign_in_token | string | yes |', '| user_id | uuid | yes |'],
  },
  '2.4/fields': {
    table: 'The fields of a connection to import',
    quotes: [
      '| expires_at | integer |',
      '| user_id | uuid |',
      '| access_token | string |',
      '| refresh_token | string |',
      '| provider_id | string |',
      '| oauth_scopes | array of string |',
    ],
  },
  '2.5/marker': {
    table: 'The fields of a marker',
    quotes: [
      '| slug | string | |',
      '| id | integer | |',
      '| name | string | |',
      '| description | string | |',
      '| lab_id | integer | |',
      '| provider_id | string | |',
      '| type | string | biomarker is one value; the full set is not shown |',
      '| unit | string or null | |',
      '| price | string | a placeholder text may stand in when no price is available |',
      '| expected_results | array of ExpectedResult | |',
    ],
  },
  '2.5/expected-result':
    'ExpectedResult: `id` (integer), `name`, `slug`, `lab_id` (integer), `provider_id` (string), `loinc`.',
  '2.5/loinc': 'Loinc: `id` (integer), `name`, `slug`, `code` (string), `unit` (string or null).',
  '2.5/page': [
    'A marker page (the response of the marker list endpoints) has `markers` (array of Marker), `total`, `page`, `size`, and on the by-test endpoint also `pages`.',
    'Each of these four counters is an integer or null and is at least 0.',
  ],
  '2.6/fields': {
    table: 'The fields of an appointment',
    quotes: [
      '| order_id | uuid | yes | |',
      '| id | uuid | yes | |',
      '| user_id | uuid | yes | |',
      '| address | USAddress | yes | fields: first_line, second_line, city, state, zip_code, unit, access_notes |',
      '| location | LngLat | yes | fields: lng, lat (numbers) |',
      '| start_at | date-time or null | yes | UTC |',
      '| end_at | date-time or null | yes | UTC |',
      '| type | enum | yes | phlebotomy, patient_service_center (non-exhaustive) |',
      '| provider | enum | yes | set of third-party appointment providers (non-exhaustive); their slugs are not reproduced here |',
      '| status | enum | yes | see part 3 |',
      '| provider_id | string | yes | |',
      '| can_reschedule | boolean | yes | |',
      '| event_status | enum | yes | see part 3 |',
      '| events | array of appointment event | yes | |',
      '| order_transaction_id | uuid or null | no | |',
      '| iana_timezone | string or null | no | IANA zone name: Area/Location forms with up to three segments, Etc/ forms, or one of CET, CST6CDT, EET, EST, EST5EDT, MET, MST, MST7MDT, PST8PDT, HST |',
      '| external_id | string or null | no | |',
      '| appointment_notes | string or null | no | max length 1000 |',
      '| event_data | object | no | |',
    ],
  },
  '2.6/address':
    '| address | USAddress | yes | fields: first_line, second_line, city, state, zip_code, unit, access_notes |',
  '2.6/location': '| location | LngLat | yes | fields: lng, lat (numbers) |',
  '2.6/utc': [
    '| start_at | date-time or null | yes | UTC |',
    '| end_at | date-time or null | yes | UTC |',
  ],
  '2.6/zone':
    '| iana_timezone | string or null | no | IANA zone name: Area/Location forms with up to three segments, Etc/ forms, or one of CET, CST6CDT, EET, EST, EST5EDT, MET, MST, MST7MDT, PST8PDT, HST |',
  '2.6/notes': '| appointment_notes | string or null | no | max length 1000 |',
  '2.7/fields': {
    table: 'The fields of a provider',
    quotes: [
      '| slug | string | yes | |',
      '| name | string | yes | |',
      '| description | string | yes | |',
      '| logo | string (URL) or null | yes | |',
      '| auth_type | enum or null | no | oauth, team_oauth, sdk, password, email, app (non-exhaustive) |',
      '| supported_resources | array of enum | no | non-exhaustive; values below |',
    ],
  },
  '2.7/supported-resources':
    'Values of `supported_resources`: profile, activity, sleep, body, workouts, workout_stream, connection, order, result, match_review, appointment, glucose, heartrate, hrv, ige, igg, blood_oxygen, blood_pressure, cholesterol, device, device_legacy, weight, fat, body_temperature, body_temperature_delta, meal, water, caffeine, mindfulness_minutes, steps, calories_active, distance, floors_climbed, respiratory_rate, vo2_max, calories_basal, stress_level, menstrual_cycle, sleep_cycle, electrocardiogram, electrocardiogram_voltage, afib_burden, heart_rate_alert, stand_hour, stand_duration, sleep_apnea_alert, sleep_breathing_disturbance, wheelchair_push, forced_expiratory_volume_1, forced_vital_capacity, peak_expiratory_flow_rate, inhaler_usage, fall, uv_exposure, daylight_exposure, handwashing, basal_body_temperature, heart_rate_recovery_one_minute, body_mass_index, lean_body_mass, waist_circumference, workout_distance, workout_swimming_stroke, workout_duration, insulin_injection, carbohydrates, note, sleep_stream, hypnogram.',
  '2.8/fields': {
    table: 'The source fields of summaries and data events',
    quotes: [
      '| provider | string (provider slug) | current |',
      '| type | string | current |',
      '| app_id | string or null | current |',
      '| name | string | deprecated |',
      '| slug | string | deprecated |',
      '| logo | string | deprecated |',
    ],
  },
  '2.9/source':
    'Summaries (activity, body, meal, profile, sleep, workouts) each carry a `source` with the Source context above.',
  '2.9/profile':
    'The profile summary has the fields `id`, `date`, `height` (number), `source`, `user_id`.',
  '2.10/objects': {
    table: 'The objects of aggregate queries',
    quotes: [
      '| Query | select (array), group_by (array), where (string) |',
      '| RelativeTimeframe | type (string), anchor (date), past (object with unit, value) |',
      '| select item | arg (object mapping a resource name to a column name), func (string naming an aggregation such as mean) |',
      '| group_by item | date_trunc (object with unit, value), arg (object with `index` set to a resource name) |',
      '| QueryConfig | provider_priority_overrides (array of provider slug) |',
      '| AggregationResult | table (object) |',
    ],
  },
  '2.10/value': '`value` is a positive integer.',

  '3.1/statuses': [
    '`status` values: confirmed, pending, reserved, in_progress, completed, cancelled (non-exhaustive).',
    '`event_status` values: pending, reserved, scheduled, completed, cancelled, in_progress (non-exhaustive).',
  ],
  '3.1/synchronous':
    '| (none) | Book appointment, async_confirmation = false | booking confirmed | an appointment in the response | the call waits for confirmation |',
  '3.1/in-window':
    '| (none) | Book appointment, async_confirmation = true | confirmation arrives within sync_confirmation_timeout_millisecond | confirmed appointment returned | none |',
  '3.1/pending':
    '| (none) | Book appointment, async_confirmation = true | no confirmation within that window | pending appointment returned | booking continues in the background |',
  '3.1/cancelled':
    '| pending | background booking | not confirmed within async_confirmation_timeout_millisecond | cancelled | the pending appointment is cancelled |',
  '3.2/queued': 'A submitted bulk import is queued as a persistent background operation.',
})
