import * as z from 'zod/mini'
import { MockError } from '../../errors.ts'
import type { Random } from '../../reference-data/random.ts'
import { checkOptions } from '../../state/check-options.ts'
import { spanOf, timeSpanSchema } from '../../state/clock/time.ts'
import { checkFields, invalidOption } from '../../state/plain.ts'
import { positiveSchema } from '../../state/records/schemas.ts'
import { checkTypePattern } from '../type-pattern.ts'
import type { DeliveryTarget } from './deliveries.ts'
import type { DeliveryModes } from './delivery-modes.ts'

/** A webhook's options: either a `url` or a `handler`, and settings. */
export interface WebhookInput extends Partial<DeliveryModes> {
  /** The webhook's id. Default: `webhook_1`, `webhook_2` and so on. */
  id?: string
  /** An http(s) URL. It must point to this machine unless `allowRemote` is true or `fetch` is set. */
  url?: string
  /** A function that receives the deliveries in place of a server. */
  handler?: DeliveryTarget
  /** The function that sends requests to the `url`. Default: the platform's `fetch`. */
  fetch?: DeliveryTarget
  /** Whether the `url` may be on another machine. Default: false, unless the server allows it. */
  allowRemote?: boolean
  /** The signing secret, `whsec_<base64>`. Default: generated from the seed. */
  secret?: string
  /** The event types to deliver. `*` matches any string, as in `daily.data.*.created`. Default: all types. */
  types?: readonly string[]
}

const share = z.number().check(z.gte(0), z.lte(1))

export const deliveryModeSchemas = {
  concurrency: positiveSchema,
  delay: timeSpanSchema,
  duplicates: share,
  reorder: positiveSchema,
  wrongSignatures: share,
  oldTimestamps: share,
  lostResponses: share,
} satisfies Record<keyof DeliveryModes, z.ZodMiniType>

/** A webhook's options in the control API: all options except functions. */
export const webhookSchema = z.partial(
  z.object({
    id: z.string(),
    url: z.string(),
    allowRemote: z.boolean(),
    secret: z.string().check(z.refine(isSecret, 'a secret: whsec_ followed by base64')),
    types: z.array(z.string()),
    ...deliveryModeSchemas,
  }),
)

const webhookFields = [...Object.keys(webhookSchema.shape), 'handler', 'fetch']

/**
 * @param allowsRemote Whether webhooks may call other machines.
 * @param name The webhook's name in error messages.
 * @throws {MockError} `invalid_option` or `invalid_time` if the input is invalid.
 */
export function checkWebhook(
  input: WebhookInput,
  { allowsRemote = false, name = 'webhook' }: { allowsRemote?: boolean; name?: string } = {},
): void {
  if (Object(input).delay !== undefined) spanOf(input.delay ?? 0)
  checkFields(input, webhookFields, 'a webhook')
  checkOptions(webhookSchema, input, name)
  for (const type of input.types ?? []) checkTypePattern(type)
  const { url, handler, fetch, allowRemote = allowsRemote } = input
  if ((url === undefined) === (handler === undefined)) {
    throw new MockError('invalid_option', `Expected ${name} to have either a url or a handler.`)
  }
  checkFunction(handler, 'handler')
  checkFunction(fetch, 'fetch')
  if (url === undefined) return
  checkWebhookUrl(url, name)
  if (allowRemote || fetch || isLocal(url)) return
  throw new MockError(
    'invalid_option',
    `Expected ${name}.url to be on this machine, but got '${url}'. Set allowRemote to true to deliver to another machine, or start the server with --allow-remote-webhooks.`,
  )
}

/** @throws {MockError} `invalid_option` if the value is not an http(s) URL, or contains a user name or a password. */
export function checkWebhookUrl(url: string, name = 'webhook'): void {
  const { protocol, username, password } = URL.canParse(url) ? new URL(url) : {}
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw invalidOption(`${name}.url`, 'an http(s) URL', url)
  }
  if (!username && !password) return
  // `fetch` rejects such a URL. The message omits the URL, because it contains the password.
  throw new MockError(
    'invalid_option',
    `Expected ${name}.url to contain neither a user name nor a password.`,
  )
}

export function isLocal(url: string): boolean {
  return URL.canParse(url) && loopback.test(new URL(url).hostname)
}

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

function checkFunction(value: unknown, name: string): void {
  if (value === undefined || typeof value === 'function') return
  throw invalidOption(`webhook.${name}`, 'a function', value)
}

/** Returns a signing secret. It is not confidential, because anyone with the seed can compute it. */
export function newSecret(random: Random): string {
  const bytes = Array.from({ length: 32 }, () => random.integer(0, 255))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}

function isSecret(text: string): boolean {
  return /^whsec_(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)
}
