import { defineRules } from './rule.ts'

/** The rules of parts 5 to 9. */
export const laterRules = defineRules({
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
