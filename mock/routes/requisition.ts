import { Refusal } from '../http/refusal.ts'
import { Answer } from '../http/response.ts'
import { requisitionUrlValidity } from '../state/defaults.ts'
import type { LabOrder } from '../state/records/orders.ts'
import { spanOf } from '../state/time.ts'
import type { World } from '../state/world.ts'

/** The path of signed requisition URLs; whoever holds one needs no key. */
export const requisitionPath = /^\/requisitions\/([^/]+)\/([^/]+)\.pdf$/

/** The deprecated signed URL of an order's requisition form, valid for 7 days from the order's creation (part 8). */
export function requisitionUrl({ id, created_at }: LabOrder, world: World): string {
  const expires = Date.parse(created_at) + spanOf(requisitionUrlValidity)
  const signature = signatureOf(id, expires, world)
  const search = new URLSearchParams({ expires: String(expires), signature })
  return `${world.baseUrl}/requisitions/${world.ordinal}/${id}.pdf?${search}`
}

/** Whether a signed URL is that of an order of a team. */
export function isSignedBy(world: World, id: string, search: URLSearchParams): boolean {
  const expires = Number(search.get('expires'))
  return world.orders.has(id) && search.get('signature') === signatureOf(id, expires, world)
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

function signatureOf(id: string, expires: number, { random }: World): string {
  return random.fork(`requisition/${id}/${expires}`).uuid().replaceAll('-', '')
}
