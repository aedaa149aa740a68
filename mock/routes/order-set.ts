import type { OrderSet } from '../../src/contract/lab-tests.ts'
import { lowerUuid } from '../../src/shared/narrow.ts'
import { badRequest, notFound } from '../http/http-error.ts'
import type { Catalogue } from '../state/collections/collections.ts'
import { markersOf } from '../state/collections/lab-tests.ts'
import type { CatalogueLabTest, CatalogueMarker } from '../state/records/lab-tests.ts'

export interface OrderedItems {
  /** The lab tests, all from one lab. */
  tests: CatalogueLabTest[]
  /** The lab tests' markers, then the add-on's markers, without duplicates. */
  markers: CatalogueMarker[]
}

/**
 * @throws {HttpError} 404 for an unknown lab test, or 400 if the order set is empty, names an unknown marker or
 * combines several labs.
 */
export function findOrderedItems(
  { lab_test_ids, add_on }: OrderSet,
  catalogue: Catalogue,
): OrderedItems {
  const tests = (lab_test_ids ?? []).map((id) => {
    const test = catalogue.labTests.get(lowerUuid(id))
    if (!test) throw notFound('Lab test')
    return test
  })
  checkNotEmpty({ lab_test_ids, add_on })
  const added = findAddOnMarkers(add_on, tests, catalogue)
  checkOneLab([...tests, ...added])
  const ofTests = tests.flatMap((test) => markersOf(test, catalogue))
  return { tests, markers: [...new Set([...ofTests, ...added])] }
}

function checkNotEmpty({ lab_test_ids, add_on }: OrderSet): void {
  if (!lab_test_ids?.length && !add_on) {
    throw badRequest('An order set needs lab_test_ids or an add_on')
  }
  if (add_on && !add_on.provider_ids?.length && !add_on.marker_ids?.length) {
    throw badRequest('An add_on needs provider_ids or marker_ids')
  }
}

function checkOneLab(items: readonly { lab_id: number | null }[]): void {
  if (new Set(items.map(({ lab_id }) => lab_id)).size > 1) {
    throw badRequest('The lab tests and markers of an order set must be from the same lab')
  }
}

/** Returns the add-on's markers. If several labs use a `provider_id`, the other ordered items determine the lab. */
function findAddOnMarkers(
  add_on: OrderSet['add_on'],
  tests: readonly CatalogueLabTest[],
  catalogue: Catalogue,
): CatalogueMarker[] {
  const byId = (add_on?.marker_ids ?? []).map((id) => {
    const marker = catalogue.markers.get(id)
    if (!marker) throw badRequest('The add_on has unknown marker_ids')
    return marker
  })
  const candidates = (add_on?.provider_ids ?? []).map((provider_id) => {
    const markers = catalogue.markers.list({ provider_id })
    if (markers.length === 0) throw badRequest('The add_on has unknown provider_ids')
    return markers
  })
  const lab = [...tests, ...byId][0]?.lab_id ?? sharedLab(candidates)
  const byProvider = candidates.map((markers) => markers.find(({ lab_id }) => lab_id === lab))
  if (byProvider.includes(undefined)) {
    throw badRequest('The lab tests and markers of an order set must be from the same lab')
  }
  const wanted = new Set([...byId, ...byProvider])
  return catalogue.markers.list().filter((marker) => wanted.has(marker))
}

function sharedLab([first = [], ...others]: CatalogueMarker[][]): number | null | undefined {
  const isShared = ({ lab_id }: CatalogueMarker) =>
    others.every((markers) => markers.some((marker) => marker.lab_id === lab_id))
  return first.find(isShared)?.lab_id
}
