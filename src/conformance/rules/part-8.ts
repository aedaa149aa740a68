import { defineRules } from '../rule.ts'

export const part8Rules = defineRules({
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
})
