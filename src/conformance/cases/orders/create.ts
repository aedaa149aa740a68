import { orderBody } from '../../bodies/request-bodies.ts'
import { createOrder } from '../../operations.ts'
import type { TestedService } from '../../service.ts'
import { fieldOf } from '../../shape.ts'
import { makeMarkers } from '../lab-tests/offers.ts'

export const orderShape = 'the other fields of an order'

/** Adds a lab with two lab tests and a marker that is in neither. */
export async function addLab(service: TestedService) {
  const markers = makeMarkers('Ordered', 3)
  const lab = await service.lab({ markers, tests: markers.slice(0, 2).map((marker) => [marker]) })
  return { tests: lab.tests, codes: markers.map(({ provider_id }) => provider_id) }
}

/** Creates an order, and returns it. Presumes the fields that the specification does not show. */
export async function order(
  service: TestedService,
  userId: string,
  changes: Record<string, unknown>,
): Promise<unknown> {
  const body = orderBody(userId, changes)
  const { status, json } = await service.call(createOrder, { body })
  const created = fieldOf(json, 'order')
  const isOrder = status < 300 && typeof fieldOf(created, 'id') === 'string'
  service.presume(isOrder, 'POST /v3/order takes user_id and the patient, and returns order')
  return created
}
