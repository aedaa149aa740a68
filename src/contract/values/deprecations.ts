import type { Deprecation } from '../schema-tools/endpoint.ts'

export interface ScheduledDeprecation extends Deprecation {
  /** The deprecated item, as named in the specification. */
  item: string
}

/**
 * The deprecation schedule (specification part 9), keyed by this package's own ids. If `removal` is missing, the
 * specification gives no date.
 */
export const deprecations = {
  hypnogram: {
    item: 'hypnogram timeseries type and its three events',
    replacement: 'the sleep_cycle summary type and its three events',
    removal: '2025-01-31',
  },
  sourceFields: {
    item: 'name, logo, slug under `source` in data events and in summaries',
    replacement:
      '`source.provider`, `source.type`, `source.app_id`; provider data from GET /v2/providers',
    removal: '2024-07-31',
  },
  connectionSource: {
    item: '`source` in provider.connection.created',
    replacement: '`provider`',
    removal: '2024-07-31',
  },
  isFinal: {
    item: 'is_final in historical.data.*.created',
    replacement: 'the event itself, which is already final',
    removal: '2024-06-30',
  },
  labTestId: { item: 'lab_test_id in POST /v3/order', replacement: 'order_set' },
  resultValue: {
    item: 'value field in the results object',
    replacement: '`result`, parsed according to `result_type`',
  },
  requisitionFormUrl: {
    item: 'requisition_form_url in the order object',
    replacement: 'GET /v3/order/{order_id}/requisition/pdf',
  },
  allLabTests: { item: 'GET /v3/lab_tests', replacement: 'GET /v3/lab_test' },
} as const satisfies Record<string, ScheduledDeprecation>

export function deprecationOf(id: keyof typeof deprecations): Deprecation {
  const { item: _item, ...deprecation }: ScheduledDeprecation = deprecations[id]
  return deprecation
}

const { sourceFields, resultValue, requisitionFormUrl } = deprecations

export const deprecatedFields: Record<string, Record<string, Deprecation>> = {
  Source: { name: sourceFields, slug: sourceFields, logo: sourceFields },
  OrderResult: { value: resultValue },
  Order: { requisition_form_url: requisitionFormUrl },
}
