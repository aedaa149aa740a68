import { defineRules } from '../rule.ts'

export const part3Rules = defineRules({
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
