import { Refusal } from '../base/refusal.ts'
import { Answer } from '../base/response.ts'
import type { LabOrder } from '../state/records/orders.ts'
import { requisitionSignature } from '../state/records/requisition-url.ts'
import type { World } from '../state/world.ts'

/** Whether a signed URL is that of an order of a team. */
export function isSignedBy(world: World, id: string, search: URLSearchParams): boolean {
  const expires = Number(search.get('expires'))
  return (
    world.orders.has(id) && search.get('signature') === requisitionSignature(id, expires, world)
  )
}

/** Answers a signed URL. */
export async function signedRequisition(
  id: string,
  search: URLSearchParams,
  world: World,
): Promise<Answer> {
  const expires = Number(search.get('expires'))
  const order = world.orders.get(id)
  if (!order || !isSignedBy(world, id, search)) {
    throw new Refusal(403, 'Invalid signature')
  }
  if (world.clock.moment > expires) throw new Refusal(403, 'The signed URL has expired')
  return requisitionForm(order)
}

/** The requisition form of an order; few suites ask for one, so it comes late. */
export async function requisitionForm(order: LabOrder): Promise<Answer> {
  const { requisitionPdf } = await import('./requisition-pdf.ts')
  return new Answer(200, requisitionPdf(order), 'application/pdf')
}
