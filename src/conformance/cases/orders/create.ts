import { assertSuccess } from '../../assertions.ts'
import { orderBody } from '../../request-bodies.ts'
import type { TestedService } from '../../service.ts'
import { fieldOf } from '../../shape.ts'
import { makeMarkers } from '../lab-tests/offers.ts'
import { createOrder } from './endpoints.ts'

export const orderShape = 'the other fields of an order'

/** Adds a lab with two lab tests and a marker that is in neither. */
export async function addLab(service: TestedService) {
  const markers = makeMarkers('Ordered', 3)
  const lab = await service.lab({ markers, tests: markers.slice(0, 2).map((marker) => [marker]) })
  return { tests: lab.tests, codes: markers.map(({ provider_id }) => provider_id) }
}

/** Creates an order, and returns it. */
export async function order(
  service: TestedService,
  userId: string,
  changes: Record<string, unknown>,
): Promise<unknown> {
  const body = orderBody(userId, changes)
  return fieldOf(assertSuccess(await service.call(createOrder, { body })).json, 'order')
}
