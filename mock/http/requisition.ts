import { requisitionSignature } from '../state/collections/requisition-url.ts'
import type { LabOrder } from '../state/records/orders.ts'
import type { World } from '../state/world.ts'
import { HttpError, notFound } from './http-error.ts'
import { ServiceResponse } from './response.ts'

/**
 * Returns the requisition form for a signed URL. The request needs no API key.
 *
 * @throws {HttpError} 404 for an unknown team; 403 for an unknown order, an invalid signature or an expired URL.
 */
export async function respondToSignedUrl(
  [, ordinal, id = '']: string[],
  search: URLSearchParams,
  worlds: Iterable<World>,
): Promise<ServiceResponse> {
  const expires = Number(search.get('expires'))
  const world = [...worlds].find(({ identity }) => String(identity.ordinal) === ordinal)
  if (!world) throw notFound('Requisition form')
  const order = world.orders.get(id)
  const isSigned = search.get('signature') === requisitionSignature(id, expires, world)
  if (!order || !isSigned) throw new HttpError(403, 'Invalid signature')
  if (world.clock.moment > expires) throw new HttpError(403, 'The signed URL has expired')
  return requisitionForm(order)
}

export function requisitionForm({ id, order_set }: LabOrder): ServiceResponse {
  const content = pdf(['Requisition form', `Order ${id}`, ...(order_set.lab_test_ids ?? [])])
  return new ServiceResponse(200, content, 'application/pdf')
}

function pdf(lines: string[]): Uint8Array<ArrayBuffer> {
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join('\n')
  const content = `BT /F1 12 Tf 16 TL 72 720 Td\n${shown}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const start = text.length
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return new TextEncoder().encode(text + table + trailer)
}
