import { recordRules } from './parts-2-and-3.ts'
import { defineRules, type Rule } from './rule.ts'

const operationRules = defineRules({
  '4/key': 'Every endpoint requires the API key header (part 5).',
  '4/json': 'All bodies are JSON.',
  '4.1/path': ['`POST /v2/user/{user_id}/insurance`', 'Path: `user_id` string, required.'],
  '4.1/body': 'Request body: insurance fields of 2.2 without `company`.',
  '4.1/response': 'Response: insurance fields of 2.2, with `company` required.',
  '4.1/inference': [
    "When `payor_code` is MEDFED (federal health plan for the elderly) or MAIDFED (federal health plan for low income), the service infers the regional plan from the patient's address and stores the payor code of that regional plan.",
    'This is a closed-beta behaviour.',
  ],
  '4.2/path': ['`PATCH /v2/user/{user_id}/info`', 'Path: `user_id` string, required.'],
  '4.2/body': 'Request body: the fields of 2.1 (required ones as listed there).',
  '4.2/response': 'Response: the stored user info of 2.1.',
  '4.3/availability':
    'Availability: the link migration endpoints are disabled by default and are enabled on request through support.',
  '4.3/body': [
    '| connections | array of ConnectionRecipe | yes | |',
    '`POST /v2/link/bulk_import`',
    '`provider` takes one of 16 provider slugs (non-exhaustive).',
    '| provider | enum | yes | |',
    '| wait_for_completion | boolean | no | false |',
  ],
  '4.3/response':
    'Response body: `user_ids_imported` (array of uuid, required) and `user_ids_failed` (array of uuid, required).',
  '4.3/preconditions': [
    `Preconditions: the team's own OAuth application credential for the provider is configured first.`,
    'Connections are not migratable if they are bound to a credential the team does not hold, or to a credential other than the one set on the team.',
  ],
  '4.3/queued':
    'The submitted connections are queued as one persistent background operation, and the endpoint answers 202.',
  '4.3/wait':
    'With `wait_for_completion` true, the endpoint answers 200 only if the operation completes within 20 seconds; otherwise it answers 202.',
  '4.3/volume':
    'Any number of connections, up to all of them, may be submitted in a short period; enqueuing is fast and does not disrupt the running operation.',
  '4.3/progress': 'The progress of the operation is read with a List Bulk Ops endpoint.',
  '4.4/parameters': [
    'Query parameters named: `lab_id` (the identifier assigned to a lab partner) and `lab_slug` (the slug of the lab).',
    '`GET /v3/lab_tests/markers`',
    'When both are given, `lab_slug` is used.',
  ],
  '4.4/further-parameters':
    'The endpoint also takes a filter by marker name or test code, a lab account identifier that determines the availability of markers and tests, a page number (at least 1) and a page size (1 to 100).',
  '4.4/response': 'Response: a marker page (2.5).',
  '4.5/parameters': [
    '| lab_test_id | path | uuid | yes | | |',
    '`GET /v3/lab_tests/{lab_test_id}/markers`',
    '| lab_account_id | query | uuid or null | no | | decides availability of markers and tests |',
    '| page | query | integer | no | 1 | at least 1 |',
    '| size | query | integer | no | 50 | 1 to 100 |',
  ],
  '4.5/response': [
    'Response: a marker page.',
    '`markers`, `total`, `page`, `size` and `pages` are all required keys.',
  ],
  '4.6/body': [
    'Request body: `lab_test_ids` (array of string) and `add_on` (object with `provider_ids`, an array of string).',
    '`POST /v3/lab_tests/list_order_set_markers`',
  ],
  '4.6/paging': 'Paging: a page number (at least 1) and a page size (1 to 100) apply.',
  '4.6/response': 'Response: a marker page.',
  '4.7/path': [
    '`POST /v2/user/{user_id}/sign_in_token`',
    'Path: `user_id` uuid, required.',
    'No body.',
  ],
  '4.7/response': 'Response: the object of 2.3.',
  '4.7/usage': {
    quotes: [
      'Usage rule: a mobile app signs in once with the mobile SDK, and the signed-in session persists on the device.',
      'The app does not request a token at every launch.',
    ],
    reason: 'The rule is for clients, not for the service.',
  },
  '4.8/path': [
    'Path: `order_id` uuid, required.',
    '`POST /v3/order/{order_id}/phlebotomy/appointment/book`',
  ],
  '4.8/body': [
    '| booking_key | string | yes | | |',
    '| appointment_notes | string or null | no | | max length 1000 |',
    '| async_confirmation | boolean | no | false | |',
    '| sync_confirmation_timeout_millisecond | integer or null | no | 2500 | 1000 to 10000 |',
    '| async_confirmation_timeout_millisecond | integer or null | no | 15 minutes | 60000 to 172800000 |',
  ],
  '4.8/rule-1':
    'When `async_confirmation` is false, the call waits for confirmation, and a failure returns a 500 error.',
  '4.8/rule-2':
    'When it is true, the call waits at most `sync_confirmation_timeout_millisecond` and then returns a pending appointment; booking continues in the background.',
  '4.8/rule-3':
    'The background attempt is abandoned and the pending appointment is cancelled after `async_confirmation_timeout_millisecond`.',
  '4.8/rule-4': 'Both timeout fields apply only when `async_confirmation` is true.',
  '4.8/response': 'Response: an Appointment (2.6).',
  '4.9/query': ['Query: `source_type` string or null, optional.', '`GET /v2/providers`'],
  '4.9/response': 'Response: an array of Provider (2.7).',
  '4.10/path': [
    '`DELETE /v2/user/{user_id}/{provider}`',
    'Path: `user_id` uuid, required.',
    '`provider` enum, required, a provider slug.',
    'Its set has 40 values, is non-exhaustive, and includes the value manual; the other values name third-party platforms and are not reproduced here.',
  ],
  '4.10/response': 'Response: `success` (boolean, required).',
  '4.10/cloud': 'Rule: deregistration is well defined only for cloud-based providers.',
  '4.10/auto-connect':
    'For connections made through the on-device health platforms of phones, while the mobile SDK is in its default Auto Connect mode, deregistration has no effect.',
  '4.10/explicit':
    'Explicit connect and disconnect is an opt-in SDK mode, and the SDK can also pause syncing or sign the user out on the client side.',
  '4.11/path': ['Path: `user_id` uuid, required.', '`POST /aggregate/v1/user/{user_id}/query`'],
  '4.11/accept':
    'Request header `accept`: one of `*/*` (default), `application/json`, `application/vnd.service.tar+gzip+parquet`.',
  '4.11/body': [
    'Request body: `timeframe` (RelativeTimeframe, required), `queries` (array of Query, required), `config` (QueryConfig, optional).',
    'Shapes are in 2.10.',
  ],
  '4.11/json': [
    'JSON response: `results`, an array holding one entry per query, in the order the queries were declared.',
    'Each entry has `table`, an object of equal-length columns.',
    'The columns are `index` plus one column per computed aggregation; the documented names of the columns are min, max, mean and newest.',
  ],
  '4.11/parquet': [
    'Parquet response: the body is a gzipped tar of files named `0.parquet`, `1.parquet`, and so on.',
    'The number is the declaration order of the query.',
  ],
  '4.12/summaries':
    'Summary endpoints: `GET /v2/summary/activity/*`, `/body/*`, `/meal/*`, `/profile/*`, `/sleep/*`, `/workouts/*`.',
  '4.12/order': 'Order creation `POST /v3/order` takes an order_set field.',
  '4.12/lab-tests': 'The paginated `GET /v3/lab_test` takes `lab_test_limit` and `next_cursor`.',
  '4.12/requisition': 'The download-PDF endpoint for requisition forms: not shown.',
})

const laterRules = defineRules({
  '5/header': [
    'Every endpoint here takes a team API key in the request header `x-service-api-key`.',
    'The value is written <API_KEY>.',
  ],
  '5/team-key': 'The key is a team-level key; the header is required.',
  '5/sign-in':
    'Mobile apps sign in to the mobile SDKs with a sign-in token from 4.7, and the session persists on the device.',
  '5/credential': `Bulk import needs the team's own OAuth application credential configured for the provider beforehand.`,

  '6/envelope':
    'Event envelope for data events: `event_type` (string), `data` (object), `user_id` (uuid string).',
  '6/daily':
    '| daily.data.*.created and daily.data.*.updated (one per resource type) | new or changed data values | `data.data` array, `data.source` (Source context 2.8) |',
  '6/historical':
    '| historical.data.*.created | one event per resource, sent once after all data chunks are fetched | as above |',
  '6/connection':
    '| provider.connection.created | a provider connection now exists | `data.provider` (name, slug, logo), `data.user_id`, `data.resource_availability` object; deprecated duplicate `data.source` |',
  '6/sleep-cycle':
    '| historical.data.sleep_cycle.created, daily.data.sleep_cycle.created, daily.data.sleep_cycle.updated | sleep-cycle summaries with the detailed hypnogram of a sleep session | as data events |',
  '6/hypnogram':
    '| historical.timeseries.hypnogram.created, daily.timeseries.hypnogram.created, daily.timeseries.hypnogram.updated | deprecated hypnogram timeseries | see part 9 |',
  '6/is-final': [
    '`is_final` is deprecated in historical events.',
    'The event is already final, so clients must not require the field.',
  ],
  '6/provider': 'In `provider.connection.created`, `provider` replaces the former `source`.',
  '6/source': [
    'In data events, `source.name`, `source.slug` and `source.logo` are deprecated.',
    '`source.provider` (slug), `source.type` and `source.app_id` (nullable) replace them.',
    'Full provider information comes from the list providers endpoint.',
  ],
  '6/source-type': '`source.type` takes values such as ring and app.',

  '7/booking':
    'Book appointment: with `async_confirmation` false, a failed or unconfirmed booking returns a 500 error.',
  '7/bulk-import':
    'Bulk import: 202 when the operation was enqueued or did not finish within 20 seconds in wait mode; 200 when wait mode finished in time.',
  '7/success': 'Successful calls on other endpoints are described as a successful response.',
  '7/failed-imports':
    'Failed imports are reported in `user_ids_failed`, and the reasons: not shown.',

  '8/page-size': '| page size | 1 to 100 inclusive; default 50 | marker pages |',
  '8/page-number': '| page number | at least 1; default 1 | marker pages |',
  '8/notes': '| appointment_notes length | max 1000 | book appointment, appointment record |',
  '8/sync-timeout':
    '| sync_confirmation_timeout_millisecond | 1000 to 10000; default 2500 | book appointment with async_confirmation true |',
  '8/async-timeout':
    '| async_confirmation_timeout_millisecond | 60000 to 172800000; default 15 minutes | book appointment with async_confirmation true |',
  '8/wait-window':
    '| bulk import wait window | 20 seconds | bulk import with wait_for_completion true |',
  '8/import-volume':
    '| bulk import volume | no cap on the number of connections stated | bulk import |',
  '8/requisition-url':
    '| signed requisition URL validity | 7 days | requisition_form_url in the order object (deprecated) |',

  '9/prefix': 'The version is in the path prefix: /v2/, /v3/, and /aggregate/v1/.',
  '9/enumerations': {
    quotes: 'Enumerations marked non-exhaustive can grow.',
    reason: 'The rule is for clients, not for the service.',
  },
  '9/hypnogram':
    '| hypnogram timeseries type and its three events | sleep_cycle summary type and its three events | on or after 31 January 2025 |',
  '9/source-fields':
    '| name, logo, slug under `source` in data events and in summaries | `source.provider`, `source.type`, `source.app_id`; provider data from the list providers endpoint | on or after 31 July 2024 |',
  '9/connection-source':
    '| `source` in provider.connection.created | `provider` | on or after 31 July 2024 |',
  '9/is-final':
    '| is_final in historical.data.*.created | none needed | on or after 30 June 2024 |',
  '9/lab-test-id':
    '| lab_test_id in POST /v3/order | order_set field | deprecated; date not shown |',
  '9/value':
    '| value field in the results object | result field, parsed according to result_type | date not shown |',
  '9/requisition-url':
    '| requisition_form_url in the order object | the download-PDF endpoint | date not shown |',
  '9/lab-tests':
    '| GET /v3/lab_tests | GET /v3/lab_test (paginated, with lab_test_limit and next_cursor) | deprecated; date not shown |',
})

/** The rules of parts 2 to 9, in specification order. */
export const specificationRules: readonly Rule[] = [
  ...recordRules,
  ...operationRules,
  ...laterRules,
]

export function quotesOf(id: string): readonly string[] {
  return specificationRules.find((rule) => rule.id === id)?.quotes ?? []
}
