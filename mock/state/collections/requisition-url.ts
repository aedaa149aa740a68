import { requisitionUrlDays } from '../../../src/contract/values/bounds.ts'
import { day } from '../../shared/time-units.ts'
import type { RecordPort } from '../ports.ts'

/** The path of signed requisition URLs, which require no API key. */
export const requisitionPath = /^\/requisitions\/([^/]+)\/([^/]+)\.pdf$/

/** Returns an order's deprecated requisition URL, valid for 7 days from the order's creation (specification part 8). */
export function requisitionUrl(
  { id, created_at }: { id: string; created_at: string },
  team: RecordPort,
): string {
  const expires = Date.parse(created_at) + requisitionUrlDays * day
  const signature = requisitionSignature(id, expires, team)
  const search = new URLSearchParams({ expires: String(expires), signature })
  return `${team.baseUrl}/requisitions/${team.identity.ordinal}/${id}.pdf?${search}`
}

export function requisitionSignature(id: string, expires: number, { random }: RecordPort): string {
  return random.fork(`requisition/${id}/${expires}`).uuid().replaceAll('-', '')
}
