/** A rule of the specification: some of its lines, which cases show to hold. */
export interface Rule {
  /** The section and a name, such as `4.8/rule-2`. */
  id: string
  /** Words by which its lines are found in the section. */
  says: readonly string[]
  /** What the rule is about, where its lines make up a whole table. */
  table?: string
  /** Why no case can show it from outside. */
  reason?: string
}

type Written = Omit<Rule, 'id' | 'says'> & { says: string | readonly string[] }

function rules(written: Record<string, Written['says'] | Written>): Rule[] {
  return Object.entries(written).map(([id, rule]) => {
    const { says, ...facts } = isWritten(rule) ? rule : { says: rule }
    return { id, says: [says].flat(), ...facts }
  })
}

function isWritten(rule: Written['says'] | Written): rule is Written {
  return typeof rule === 'object' && 'says' in rule
}

const clients = 'It binds clients, not the service.'

/** The rules of parts 2 to 9. */
export const specificationRules: readonly Rule[] = rules({
  '2.1/fields': { table: 'The fields of user info', says: '| phone_number | string | yes | |' },
  '2.1/email': '| email | string, format email | yes | |',
  '2.1/dob': '| dob | string, date | yes | |',
  '2.1/gender': '| gender | string | yes | free string in the schema |',
  '2.1/name-validation': {
    says: ['| first_name | string | yes | subject to', '| last_name | string | yes | subject to'],
    reason: 'The rules of the validation are not shown.',
  },
  '2.1/medical-proxy': '| medical_proxy | GuarantorDetails | no | |',
  '2.1/optional': [
    '| race | enum or null | no |',
    '| ethnicity | enum or null | no |',
    '| sexual_orientation | enum or null | no |',
    '| gender_identity | enum or null | no |',
  ],
  '2.1/required-answered': 'In the response all fields above except',
  '2.1/email-answered': '`email` is a plain string there.',
  '2.1/address': 'UserAddress has the fields',
  '2.1/enumerations': {
    table: 'The values of race, ethnicity, sexual_orientation and gender_identity',
    says: '| race | african_american_or_black',
  },
  '2.2/fields': { table: 'The fields of an insurance', says: '| member_id | string | yes | |' },
  '2.2/payor-code': '| payor_code | string | yes | also accepts the two inference codes',
  '2.2/relationship': '| relationship | enum | yes | Self, Spouse, Other',
  '2.2/group-id': '| group_id | string or null | no | |',
  '2.2/is-primary': '| is_primary | boolean | no | default true |',
  '2.2/company': '| company | CompanyDetails | response only, required there |',
  '2.2/person': { table: 'The fields of PersonDetails', says: '| dob | string, date |' },
  '2.2/insurance-address': 'InsuranceAddress has the fields',
  '2.2/company-details': 'CompanyDetails has `name` (string) and `address`',
  '2.2/guarantor': {
    table: 'The fields of GuarantorDetails',
    says: '| household_size | integer |',
  },
  '2.3/fields': {
    table: 'The fields of a sign-in token',
    says: '| sign_in_token | string | yes |',
  },
  '2.4/fields': { table: 'The fields of a connection to import', says: '| expires_at | integer |' },
  '2.5/marker': { table: 'The fields of a marker', says: '| slug | string | |' },
  '2.5/expected-result': 'ExpectedResult: `id` (integer)',
  '2.5/loinc': 'Loinc: `id` (integer)',
  '2.5/page': 'A marker page (the response of the marker list endpoints) has',
  '2.6/fields': { table: 'The fields of an appointment', says: '| order_id | uuid | yes | |' },
  '2.6/address': '| address | USAddress | yes |',
  '2.6/location': '| location | LngLat | yes |',
  '2.6/utc': [
    '| start_at | date-time or null | yes | UTC |',
    '| end_at | date-time or null | yes | UTC |',
  ],
  '2.6/zone': '| iana_timezone | string or null | no |',
  '2.6/notes': '| appointment_notes | string or null | no | max length 1000 |',
  '2.7/fields': { table: 'The fields of a provider', says: '| slug | string | yes | |' },
  '2.7/supported-resources': 'Values of `supported_resources`:',
  '2.8/fields': {
    table: 'The fields of the source of summaries and data events',
    says: '| provider | string (provider slug) | current |',
  },
  '2.9/source': 'Summaries (activity, body, meal, profile, sleep, workouts) each carry a `source`',
  '2.9/profile': 'The profile summary has the fields',
  '2.10/objects': {
    table: 'The objects of aggregate queries',
    says: '| Query | select (array), group_by (array), where (string) |',
  },
  '2.10/value': '`value` is a positive integer.',

  '3.1/statuses': ['`status` values:', '`event_status` values:'],
  '3.1/synchronous': '| (none) | Book appointment, async_confirmation = false |',
  '3.1/in-window': 'confirmation arrives within sync_confirmation_timeout_millisecond',
  '3.1/pending': 'no confirmation within that window',
  '3.1/cancelled': '| pending | background booking |',
  '3.2/queued': 'A submitted bulk import is queued as a persistent background operation.',

  '4/key': 'Every endpoint requires the API key header (part 5).',
  '4/json': 'All bodies are JSON.',
  '4.1/path': ['`POST /v2/user/{user_id}/insurance`', '- Path: `user_id` string, required.'],
  '4.1/body': '- Request body: insurance fields of 2.2 without `company`.',
  '4.1/response': '- Response: insurance fields of 2.2, with `company` required.',
  '4.1/inference': '- When `payor_code` is MEDFED',
  '4.2/path': ['`PATCH /v2/user/{user_id}/info`', '- Path: `user_id` string, required.'],
  '4.2/body': '- Request body: the fields of 2.1',
  '4.2/response': '- Response: the stored user info of 2.1.',
  '4.3/availability': '- Availability: the link migration endpoints are disabled by default',
  '4.3/body': {
    table: 'The request, to POST /v2/link/bulk_import',
    says: [
      '| connections | array of ConnectionRecipe | yes | |',
      '`POST /v2/link/bulk_import`',
      '- `provider` takes one of 16 provider slugs',
    ],
  },
  '4.3/response': '- Response body: `user_ids_imported`',
  '4.3/preconditions': "- Preconditions: the team's own OAuth application credential",
  '4.3/queued': '1. The submitted connections are queued',
  '4.3/wait': '2. With `wait_for_completion` true, the endpoint answers 200 only if',
  '4.3/volume': '3. Any number of connections',
  '4.3/progress': '4. The progress of the operation is read with a List Bulk Ops endpoint.',
  '4.4/parameters': ['- Query parameters named: `lab_id`', '`GET /v3/lab_tests/markers`'],
  '4.4/further-parameters': '- The endpoint also takes a filter by marker name or test code',
  '4.4/response': '- Response: a marker page (2.5).',
  '4.5/parameters': {
    table: 'The parameters of GET /v3/lab_tests/{lab_test_id}/markers',
    says: ['| lab_test_id | path | uuid | yes |', '`GET /v3/lab_tests/{lab_test_id}/markers`'],
  },
  '4.5/response': 'Response: a marker page.',
  '4.6/body': ['- Request body: `lab_test_ids`', '`POST /v3/lab_tests/list_order_set_markers`'],
  '4.6/paging': '- Paging: a page number (at least 1) and a page size (1 to 100) apply.',
  '4.6/response': '- Response: a marker page.',
  '4.7/path': [
    '- Path: `user_id` uuid, required. No body.',
    '`POST /v2/user/{user_id}/sign_in_token`',
  ],
  '4.7/response': '- Response: the object of 2.3.',
  '4.7/usage': { says: '- Usage rule: a mobile app signs in once', reason: clients },
  '4.8/path': [
    '- Path: `order_id` uuid, required.',
    '`POST /v3/order/{order_id}/phlebotomy/appointment/book`',
  ],
  '4.8/body': { table: 'The request', says: '| booking_key | string | yes | | |' },
  '4.8/rule-1': '1. When `async_confirmation` is false, the call waits for confirmation',
  '4.8/rule-2': '2. When it is true, the call waits at most',
  '4.8/rule-3': '3. The background attempt is abandoned',
  '4.8/rule-4': '4. Both timeout fields apply only when',
  '4.8/response': '- Response: an Appointment (2.6).',
  '4.9/query': ['- Query: `source_type` string or null, optional.', '`GET /v2/providers`'],
  '4.9/response': '- Response: an array of Provider (2.7).',
  '4.10/path': ['- Path: `user_id` uuid, required. `provider` enum', '`DELETE /v2/user/'],
  '4.10/response': '- Response: `success` (boolean, required).',
  '4.10/rule': '- Rule: deregistration is well defined only for cloud-based providers.',
  '4.11/path': ['- Path: `user_id` uuid, required.', '`POST /aggregate/v1/user/{user_id}/query`'],
  '4.11/accept': '- Request header `accept`:',
  '4.11/body': '- Request body: `timeframe`',
  '4.11/json': '- JSON response: `results`',
  '4.11/parquet': '- Parquet response: the body is a gzipped tar',
  '4.12/summaries': '- Summary endpoints:',
  '4.12/order': '- Order creation `POST /v3/order` takes an order_set field.',
  '4.12/lab-tests': '- The paginated `GET /v3/lab_test` takes `lab_test_limit` and `next_cursor`.',
  '4.12/requisition': '- The download-PDF endpoint for requisition forms:',

  '5/header': '1. Every endpoint here takes a team API key in the request header',
  '5/team-key': '2. The key is a team-level key; the header is required.',
  '5/sign-in': '3. Mobile apps sign in to the mobile SDKs with a sign-in token from 4.7',
  '5/credential': "4. Bulk import needs the team's own OAuth application credential",

  '6/envelope': 'Event envelope for data events:',
  '6/daily': '| daily.data.*.created and daily.data.*.updated',
  '6/historical': '| historical.data.*.created |',
  '6/connection': '| provider.connection.created |',
  '6/sleep-cycle': '| historical.data.sleep_cycle.created,',
  '6/hypnogram': {
    says: '| historical.timeseries.hypnogram.created,',
    reason: 'The service is free to have removed them since 31 January 2025.',
  },
  '6/is-final': '1. `is_final` is deprecated in historical events.',
  '6/provider': '2. In `provider.connection.created`, `provider` replaces',
  '6/source': '3. In data events, `source.name`, `source.slug` and `source.logo` are deprecated.',
  '6/source-type': '4. `source.type` takes values such as ring and app.',

  '7/booking': '1. Book appointment: with `async_confirmation` false',
  '7/bulk-import': '2. Bulk import: 202 when the operation was enqueued',
  '7/success': '3. Successful calls on other endpoints are described as a successful response.',
  '7/failed-imports': '6. Failed imports are reported in `user_ids_failed`',

  '8/page-size': '| page size |',
  '8/page-number': '| page number |',
  '8/notes': '| appointment_notes length | max 1000 |',
  '8/sync-timeout': '| sync_confirmation_timeout_millisecond | 1000 to 10000',
  '8/async-timeout': '| async_confirmation_timeout_millisecond | 60000 to 172800000',
  '8/wait-window': '| bulk import wait window | 20 seconds |',
  '8/import-volume': '| bulk import volume |',
  '8/requisition-url': '| signed requisition URL validity | 7 days |',

  '9/prefix': '1. The version is in the path prefix:',
  '9/enumerations': { says: '2. Enumerations marked non-exhaustive can grow.', reason: clients },
  '9/hypnogram': '| hypnogram timeseries type and its three events |',
  '9/source-fields': '| name, logo, slug under `source` in data events and in summaries |',
  '9/connection-source': '| `source` in provider.connection.created |',
  '9/is-final': '| is_final in historical.data.*.created |',
  '9/lab-test-id': '| lab_test_id in POST /v3/order |',
  '9/value': '| value field in the results object |',
  '9/requisition-url': '| requisition_form_url in the order object |',
  '9/lab-tests': '| GET /v3/lab_tests |',
})
