import { requisitionUrlDays } from '../../../src/contract/values/bounds.ts'
import { Random } from '../../base/random.ts'
import { day } from '../../base/time-units.ts'
import type { Identity } from '../identity.ts'

/** The state from which the signed URLs of requisition forms are created. */
export interface RequisitionContext {
  /** The number of the team in its mock, and the seed that decides the signatures. A restore keeps both. */
  readonly identity: Identity
  /** The base URL of the mock. */
  readonly baseUrl: string
}

/** The path of signed requisition URLs, which need no API key. */
export const requisitionPath = /^\/requisitions\/([^/]+)\/([^/]+)\.pdf$/

/** Returns the deprecated signed URL of an order's requisition form, valid for 7 days from the order's creation (part 8). */
export function requisitionUrl(
  { id, created_at }: { id: string; created_at: string },
  context: RequisitionContext,
): string {
  const expires = Date.parse(created_at) + requisitionUrlDays * day
  const signature = requisitionSignature(id, expires, context)
  const search = new URLSearchParams({ expires: String(expires), signature })
  return `${context.baseUrl}/requisitions/${context.identity.ordinal}/${id}.pdf?${search}`
}

/** Returns the signature of the URL of an order's requisition form. */
export function requisitionSignature(
  id: string,
  expires: number,
  { identity }: Pick<RequisitionContext, 'identity'>,
): string {
  const random = new Random(identity.seed).fork(`requisition/${id}/${expires}`)
  return random.uuid().replaceAll('-', '')
}
