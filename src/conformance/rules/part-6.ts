import { defineRules } from '../rule.ts'

export const part6Rules = defineRules({
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
})
