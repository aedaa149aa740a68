import { requisitionUrlDays } from '../../../src/contract/values/bounds.ts'
import type { Random } from '../../base/random.ts'
import { day } from '../../base/time-units.ts'

/** The state from which the signed URLs of requisition forms are created. */
export interface RequisitionContext {
  /** The random generator, whose seed decides the signatures. */
  readonly random: Pick<Random, 'fork'>
  /** The base URL of the mock. */
  readonly baseUrl: string
  /** The number of the team in its mock. */
  readonly ordinal: number
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
  return `${context.baseUrl}/requisitions/${context.ordinal}/${id}.pdf?${search}`
}

/** Returns the signature of the URL of an order's requisition form. */
export function requisitionSignature(
  id: string,
  expires: number,
  { random }: Pick<RequisitionContext, 'random'>,
): string {
  return random.fork(`requisition/${id}/${expires}`).uuid().replaceAll('-', '')
}
