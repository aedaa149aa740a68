import type { Deprecation } from '../schema/endpoint.ts'

const source = {
  replacement:
    '`source.provider`, `source.type`, `source.app_id`; provider data from GET /v2/providers',
  removal: '2024-07-31',
}

/** The deprecated fields of answers, by the interface that has them (specification part 9). */
export const deprecatedFields: Record<string, Record<string, Deprecation>> = {
  Source: { name: source, slug: source, logo: source },
  OrderResult: { value: { replacement: '`result`, parsed according to `result_type`' } },
  Order: { requisition_form_url: { replacement: 'GET /v3/order/{order_id}/requisition/pdf' } },
}
