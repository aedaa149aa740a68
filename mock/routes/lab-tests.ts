import {
  listAllLabTests,
  listLabTests,
  listMarkers,
  listOrderSetMarkers,
  listTestMarkers,
} from '../../src/contract/lab-tests.ts'
import { MarkerPaging, type MarkerQuery } from '../../src/contract/markers.ts'
import { labTestPageSize, markerPageSize } from '../../src/contract/values/bounds.ts'
import { cursorPage } from '../http/cursor.ts'
import { notFound } from '../http/http-error.ts'
import { findDetails } from '../http/request/validation.ts'
import { route } from '../http/route.ts'
import { filteredList } from '../state/collections/filtered-list.ts'
import {
  catalogueLists,
  markersOf,
  wireLabTest,
  wireMarker,
} from '../state/collections/lab-tests.ts'
import type { CatalogueMarker } from '../state/records/lab-tests.ts'
import type { World } from '../state/world.ts'
import { findOrderedItems } from './order-set.ts'

export const labTestRoutes = [
  route(listMarkers, ({ query }, world) => {
    const { catalogue } = world
    const { page: _, size: __, ...filter } = query
    const markers = filteredList(catalogueLists(catalogue), { list: 'markers', ...filter }, () => {
      const isWanted = markerFilter(query, world)
      const isAvailable = availability(query.lab_account_id, world)
      return catalogue.markers.records().filter((marker) => isAvailable(marker) && isWanted(marker))
    })
    return toMarkerPage(markers, query)
  }),

  route(listTestMarkers, ({ params, query }, world) => {
    const labTest = world.catalogue.labTests.get(params.lab_test_id)
    if (!labTest) throw notFound('Lab test')
    const { lab_account_id } = query
    const filter = { list: 'markers of a lab test', labTest: labTest.id, lab_account_id }
    const markers = filteredList(catalogueLists(world.catalogue), filter, () =>
      markersOf(labTest, world.catalogue).filter(availability(lab_account_id, world)),
    )
    return toMarkerPage(markers, query)
  }),

  route(
    listOrderSetMarkers,
    ({ query, body }, { catalogue }) => {
      // The specification does not define whether page and size are sent in the query or in the body. The mock accepts
      // both, and the query takes precedence.
      const { page, size } = pagingIn(body)
      const paging = { page: query.page ?? page, size: query.size ?? size }
      const { lab_test_ids, add_on } = body
      const markers = filteredList(
        catalogueLists(catalogue),
        { list: 'markers of an order set', lab_test_ids, add_on },
        () => findOrderedItems(body, catalogue).markers,
      )
      return toMarkerPage(markers, paging)
    },
    ({ body }) => findDetails(MarkerPaging, pagingIn(body), 'body'),
  ),

  route(listLabTests, ({ query }, world) => {
    const { name, lab_slug, collection_method, status } = query
    const { catalogue } = world
    const filter = { list: 'lab tests', name, lab_slug, collection_method, status }
    const found = filteredList(catalogueLists(catalogue), filter, () => {
      const lab = lab_slug ? catalogue.labs.list({ slug: lab_slug })[0] : undefined
      return catalogue.labTests
        .list()
        .filter((test) => !name || includesText(test.name, name))
        .filter((test) => !lab_slug || test.lab_id === lab?.id)
        .filter((test) => !collection_method || test.method === collection_method)
        .filter((test) => !status || test.status === status)
    })
    const size = query.lab_test_limit ?? labTestPageSize.default
    const list = {
      items: found,
      keyOf: ({ id }: { id: string }) => id,
      keys: catalogue.labTests.keys(),
    }
    const page = cursorPage(list, size, query.next_cursor)
    return { ...page, data: page.data.map((test) => wireLabTest(test, world)) }
  }),

  route(listAllLabTests, (_, world) =>
    world.catalogue.labTests.list().map((test) => wireLabTest(test, world)),
  ),
]

interface Paging {
  page?: number | undefined
  size?: number | undefined
}

/** Returns a page of markers. A page beyond the last one is empty but has the same totals. */
function toMarkerPage(
  markers: readonly CatalogueMarker[],
  { page = 1, size = markerPageSize.default }: Paging,
) {
  return {
    markers: markers.slice((page - 1) * size, page * size).map(wireMarker),
    total: markers.length,
    page,
    size,
    pages: Math.ceil(markers.length / size),
  }
}

/** Returns the filter for a query. `lab_slug` takes precedence over `lab_id` (specification 4.4). */
function markerFilter(query: MarkerQuery, { catalogue }: World) {
  const { lab_id, lab_slug, name, a_la_carte_enabled } = query
  const bySlug = lab_slug ? catalogue.labs.list({ slug: lab_slug }).map(({ id }) => id) : undefined
  const byId = lab_id === undefined || lab_id === null ? undefined : [lab_id].flat()
  const labIds = bySlug ?? byId
  return (marker: CatalogueMarker): boolean =>
    (!labIds || labIds.some((id) => id === marker.lab_id)) &&
    (!name || includesText(marker.name, name) || includesText(marker.test_code, name)) &&
    (typeof a_la_carte_enabled !== 'boolean' || marker.a_la_carte_enabled === a_la_carte_enabled)
}

/** Returns the filter for a lab account. Accepts all markers if no account is given or the team has no lab accounts. */
function availability(accountId: string | null | undefined, { catalogue }: World) {
  if (!accountId || catalogue.labAccounts.size === 0) return () => true
  const account = catalogue.labAccounts.get(accountId)
  if (!account) throw notFound('Lab account')
  return ({ lab_id }: CatalogueMarker) => account.lab_ids.some((id) => id === lab_id)
}

function pagingIn(body: unknown): Paging {
  // The body's schema rejects a body that is not an object.
  const { page, size }: Paging = Object(body)
  return { page, size }
}

function includesText(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase())
}
