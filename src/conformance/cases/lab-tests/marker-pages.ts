import { assertEqual, assertRejected, assertSuccess, assertThat } from '../../assertions.ts'
import type { RequestFields } from '../../http.ts'
import type { TestedService } from '../../service.ts'
import { isObject, type ObjectForm } from '../../shape.ts'

const loinc: ObjectForm = {
  id: 'integer',
  name: 'string',
  slug: 'string',
  code: 'string',
  'unit?': 'string',
}

export const marker: ObjectForm = {
  id: 'integer',
  name: 'string',
  slug: 'string',
  'description?': 'string',
  'lab_id?': 'integer',
  'provider_id?': 'string',
  'type?': 'string',
  'unit?': 'string',
  'price?': 'string',
  'expected_results?': [
    {
      id: 'integer',
      name: 'string',
      slug: 'string',
      'lab_id?': 'integer',
      'provider_id?': 'string',
      'loinc?': loinc,
    },
  ],
}

export const counter = 'count | null'
export const pageForm: ObjectForm = {
  markers: [marker],
  'total?': 'count',
  'page?': 'count',
  'size?': 'count',
}
export const testPageForm: ObjectForm = {
  markers: [marker],
  total: counter,
  page: counter,
  size: counter,
  pages: counter,
}

type MarkerEndpoint = Parameters<TestedService['call']>[0]

interface ReadMarkerPage {
  ids: number[]
  markers: Record<string, unknown>[]
  total: unknown
  page: unknown
  size: unknown
  pages: unknown
}

/** Requests a page of markers. */
export async function getPage(
  service: TestedService,
  endpoint: MarkerEndpoint,
  request: RequestFields = {},
): Promise<ReadMarkerPage> {
  const { json } = assertSuccess(await service.call(endpoint, request))
  assertThat(isObject(json) && Array.isArray(json['markers']), 'Expected a page of markers.')
  const { markers, total, page: number, size, pages } = json
  const objects = markers as Record<string, unknown>[]
  return {
    ids: objects.map(({ id }) => Number(id)),
    markers: objects,
    total,
    page: number,
    size,
    pages,
  }
}

/** Returns the ids of all markers of a listing, requested in pages of a size. */
async function listIds(
  service: TestedService,
  endpoint: MarkerEndpoint,
  request: RequestFields,
  size: number,
) {
  const ids: number[] = []
  for (let number = 1; number <= 100; number += 1) {
    const query = { ...request.query, page: number, size }
    const { ids: next } = await getPage(service, endpoint, { ...request, query })
    if (next.length === 0) break
    assertThat(
      next.length <= size,
      `Expected at most ${size} markers in a page, found ${next.length}.`,
    )
    ids.push(...next)
  }
  return ids
}

/** Asserts that pages of two sizes have the same markers in the same order, each once. */
export async function assertPagesAgree(
  service: TestedService,
  endpoint: MarkerEndpoint,
  request: RequestFields,
): Promise<void> {
  const whole = await listIds(service, endpoint, request, 7)
  assertThat(new Set(whole).size === whole.length, 'Expected every marker once, found some twice.')
  const halves = await listIds(service, endpoint, request, 3)
  assertEqual(halves.join(), whole.join(), 'the markers of smaller pages')
  const first = await getPage(service, endpoint, {
    ...request,
    query: { ...request.query, size: 1 },
  })
  if (first.total !== null && first.total !== undefined) {
    assertEqual(first.total, whole.length, 'total')
  }
}

/** Asserts which page numbers and page sizes a listing accepts. */
export async function assertPageBounds(
  service: TestedService,
  endpoint: MarkerEndpoint,
  request: RequestFields,
): Promise<void> {
  const send = (query: Record<string, number>) =>
    service.call(endpoint, { ...request, query: { ...request.query, ...query } })
  const [minimum, maximum] = [1, 100]
  assertRejected(await send({ page: 0 }), 'page 0')
  assertRejected(await send({ size: minimum - 1 }), `size ${minimum - 1}`)
  assertRejected(await send({ size: maximum + 1 }), `size ${maximum + 1}`)
  assertRejected(await send({ size: 1.5 }), 'size 1.5')
  assertSuccess(await send({ page: 1, size: minimum }))
  assertSuccess(await send({ size: maximum }))
}

/** Returns the request for a lab test with several markers. */
export async function labTestRequest(service: TestedService): Promise<RequestFields> {
  return { params: { lab_test_id: await service.labTest() } }
}

export const parameters = 'the parameters are page and size'
export const assumedLabTests = 'GET /v3/lab_test returns data with id, markers and lab'
