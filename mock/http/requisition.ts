import { HttpError, notFound } from '../base/http-error.ts'
import { ServiceResponse } from '../base/response.ts'
import type { LabOrder } from '../state/records/orders.ts'
import { requisitionSignature } from '../state/records/requisition-url.ts'
import type { World } from '../state/world.ts'

/**
 * Responds to the signed URL of a requisition form, which needs no API key. A restored snapshot has the number of its
 * team, so several teams may have this number: the signature decides.
 *
 * @throws {HttpError} 404 for an unknown team; 403 for an invalid signature or an expired URL.
 */
export async function respondToSignedUrl(
  [, ordinal, id = '']: string[],
  search: URLSearchParams,
  worlds: Iterable<World>,
): Promise<ServiceResponse> {
  const expires = Number(search.get('expires'))
  const teams = [...worlds].filter((world) => String(world.ordinal) === ordinal)
  if (teams.length === 0) throw notFound('Requisition form')
  const world = teams.find((team) => {
    return (
      team.orders.has(id) && search.get('signature') === requisitionSignature(id, expires, team)
    )
  })
  const order = world?.orders.get(id)
  if (!world || !order) throw new HttpError(403, 'Invalid signature')
  if (world.clock.moment > expires) throw new HttpError(403, 'The signed URL has expired')
  return requisitionForm(order)
}

/** Returns the requisition form of an order. Few test suites use it, so its module is loaded at the first use. */
export async function requisitionForm(order: LabOrder): Promise<ServiceResponse> {
  const { requisitionPdf } = await import('./requisition-pdf.ts')
  return new ServiceResponse(200, requisitionPdf(order), 'application/pdf')
}
