import { defineRules } from '../rule.ts'

export const part9Rules = defineRules({
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
