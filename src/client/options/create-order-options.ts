import { type RequestOptions, requestOptionRules } from './request-options.ts'
import { createRule, type OptionRules } from './rules.ts'

/** Options for `orders.create`. */
export interface CreateOrderOptions extends RequestOptions {
  /**
   * Sent as `x-idempotency-key`, so the service creates only one order for all calls with this key. The call is then
   * retried like an idempotent call. The service must support the header, which the specification does not mention.
   * From 1 to 255 visible ASCII characters. `idempotencyKeyOf` derives a key from your order id. Default: none.
   */
  idempotencyKey?: string | undefined
}

export const createOrderOptionRules: Record<keyof CreateOrderOptions, OptionRules[string]> = {
  ...requestOptionRules,
  idempotencyKey: createRule(
    'a string of 1 to 255 visible ASCII characters',
    (value) => typeof value === 'string' && /^[!-~]{1,255}$/.test(value),
  ),
}
