import { defineRules } from '../rule.ts'

export const part7Rules = defineRules({
  '7/booking':
    'Book appointment: with `async_confirmation` false, a failed or unconfirmed booking returns a 500 error.',
  '7/bulk-import':
    'Bulk import: 202 when the operation was enqueued or did not finish within 20 seconds in wait mode; 200 when wait mode finished in time.',
  '7/success': 'Successful calls on other endpoints are described as a successful response.',
  '7/failed-imports':
    'Failed imports are reported in `user_ids_failed`, and the reasons: not shown.',
})
