import * as z from 'zod/mini'
import { endpoint } from './schema/endpoint.ts'
import { answered, integer, maybe, openEnum, uuid } from './schema/schema.ts'
import { type MarkerType, markerPageSize, markerTypes, type Open } from './values/known-values.ts'

/** A code of the LOINC catalogue (specification 2.5). */
export interface Loinc {
  id: number
  name: string
  slug: string
  code: string
  unit?: string | null | undefined
}
export const Loinc = z.object({
  id: z.int(),
  name: z.string(),
  slug: z.string(),
  code: z.string(),
  unit: maybe(z.string()),
})

/** A result that a marker is expected to give (specification 2.5). */
export interface ExpectedResult {
  id: number
  name: string
  slug: string
  lab_id?: number | null | undefined
  provider_id?: string | null | undefined
  loinc?: Loinc | null | undefined
}
export const ExpectedResult = z.object({
  id: z.int(),
  name: z.string(),
  slug: z.string(),
  lab_id: maybe(z.int()),
  provider_id: maybe(z.string()),
  loinc: maybe(Loinc),
})

/** A lab test marker (specification 2.5). */
export interface Marker {
  id: number
  name: string
  slug: string
  description?: string | null | undefined
  lab_id?: number | null | undefined
  provider_id?: string | null | undefined
  type?: Open<MarkerType> | null | undefined
  unit?: string | null | undefined
  /** A decimal such as `"10.00"`, or a placeholder text when no price is available. */
  price?: string | null | undefined
  expected_results?: ExpectedResult[] | null | undefined
}
export const Marker = z.object({
  id: z.int(),
  name: z.string(),
  slug: z.string(),
  description: maybe(z.string()),
  lab_id: maybe(z.int()),
  provider_id: maybe(z.string()),
  type: maybe(openEnum(markerTypes)),
  unit: maybe(z.string()),
  price: maybe(z.string()),
  expected_results: maybe(z.array(ExpectedResult)),
})

/** A page of markers (specification 2.5). Any counter may be null or absent. */
export interface MarkerPage {
  markers: Marker[]
  total?: number | null | undefined
  page?: number | null | undefined
  size?: number | null | undefined
  pages?: number | null | undefined
}
export const MarkerPage = z.object({
  markers: z.array(Marker),
  total: maybe(answered.count),
  page: maybe(answered.count),
  size: maybe(answered.count),
  pages: maybe(answered.count),
})

/** A page of the markers of one lab test (specification 4.5). Any counter may be null. */
export interface TestMarkerPage {
  markers: Marker[]
  total: number | null
  page: number | null
  size: number | null
  pages: number | null
}
export const TestMarkerPage = z.object({
  markers: z.array(Marker),
  total: z.nullable(answered.count),
  page: z.nullable(answered.count),
  size: z.nullable(answered.count),
  pages: z.nullable(answered.count),
})

/** Which page of markers (specification part 8). */
export interface MarkerPaging {
  /** At least 1. Default: 1. */
  page?: number | undefined
  /** From 1 to 100, inclusive. Default: 50. */
  size?: number | undefined
}
const paging = {
  page: z.optional(integer(1)),
  size: z.optional(integer(markerPageSize.minimum, markerPageSize.maximum)),
}
export const MarkerPaging = z.object(paging)

/** Which markers to list (specification 4.4). */
export interface MarkerQuery extends MarkerPaging {
  /** The identifier assigned to a lab partner; several are alternatives. Ignored when `lab_slug` is given. */
  lab_id?: number | number[] | null | undefined
  /** The slug of the lab; it wins over `lab_id`. */
  lab_slug?: string | null | undefined
  /** Part of a marker's name, or a test code (parameter name as presumed). */
  name?: string | null | undefined
  /** Whether the marker can be ordered alone (parameter as presumed). */
  a_la_carte_enabled?: boolean | null | undefined
  /** The lab account that decides the availability of markers (parameter name as presumed). */
  lab_account_id?: string | null | undefined
}
export const MarkerQuery = z.object({
  ...paging,
  lab_id: maybe(z.union([z.int(), z.array(z.int())])),
  lab_slug: maybe(z.string()),
  name: maybe(z.string()),
  a_la_carte_enabled: maybe(z.boolean()),
  lab_account_id: maybe(z.string()),
})

/** Which markers of a lab test to list (specification 4.5). */
export interface TestMarkerQuery extends MarkerPaging {
  /** The lab account, a UUID, that decides the availability of markers and tests. */
  lab_account_id?: string | null | undefined
}
export const TestMarkerQuery = z.object({ ...paging, lab_account_id: maybe(uuid) })

/** What an order set adds to its lab tests (specification 4.6). */
export interface OrderSetAddOn {
  provider_ids?: string[] | null | undefined
  /** Markers by id (as presumed). */
  marker_ids?: number[] | null | undefined
}
export const OrderSetAddOn = z.object({
  provider_ids: maybe(z.array(z.string())),
  marker_ids: maybe(z.array(z.int())),
})

/** An order set: lab tests and what is added to them (specification 4.6). */
export interface OrderSet {
  lab_test_ids?: string[] | null | undefined
  add_on?: OrderSetAddOn | null | undefined
}
export const OrderSet = z.object({
  lab_test_ids: maybe(z.array(z.string())),
  add_on: maybe(OrderSetAddOn),
})

/** A lab of the catalogue. */
export interface Lab {
  id?: number | null | undefined
  slug?: string | null | undefined
  name?: string | null | undefined
}
export const Lab = z.object({
  id: maybe(z.int()),
  slug: maybe(z.string()),
  name: maybe(z.string()),
})

/** A lab test of the catalogue (specification 4.12; shape as presumed). */
export interface LabTest {
  id: string
  slug?: string | null | undefined
  name?: string | null | undefined
  description?: string | null | undefined
  /** How the sample is taken, such as at_home_phlebotomy, testkit or walk_in_test. */
  method?: string | null | undefined
  status?: string | null | undefined
  price?: number | string | null | undefined
  lab?: Lab | null | undefined
  markers?: Marker[] | null | undefined
}
export const LabTest = z.object({
  id: answered.uuid,
  slug: maybe(z.string()),
  name: maybe(z.string()),
  description: maybe(z.string()),
  method: maybe(z.string()),
  status: maybe(z.string()),
  price: maybe(z.union([z.number(), z.string()])),
  lab: maybe(Lab),
  markers: maybe(z.array(Marker)),
})

/** One page of lab tests. */
export interface LabTestPage {
  data: LabTest[]
  next_cursor?: string | null | undefined
}
export const LabTestPage = z.object({ data: z.array(LabTest), next_cursor: maybe(z.string()) })

/** Which lab tests to list (specification 4.12; further parameters as presumed). */
export interface LabTestQuery {
  /** Lab tests in a page, at least 1. Default: 50 (presumed). */
  lab_test_limit?: number | undefined
  next_cursor?: string | null | undefined
  name?: string | null | undefined
  lab_slug?: string | null | undefined
  collection_method?: string | null | undefined
  status?: string | null | undefined
}
export const LabTestQuery = z.object({
  lab_test_limit: z.optional(integer(1)),
  next_cursor: maybe(z.string()),
  name: maybe(z.string()),
  lab_slug: maybe(z.string()),
  collection_method: maybe(z.string()),
  status: maybe(z.string()),
})

export const listMarkers = endpoint({
  id: 'labTests.listMarkers',
  method: 'GET',
  path: '/v3/lab_tests/markers',
  spec: '4.4',
  effect: 'read',
  query: MarkerQuery,
  responses: { 200: MarkerPage },
})

export const listTestMarkers = endpoint({
  id: 'labTests.listTestMarkers',
  method: 'GET',
  path: '/v3/lab_tests/{lab_test_id}/markers',
  spec: '4.5',
  effect: 'read',
  params: { lab_test_id: uuid },
  query: TestMarkerQuery,
  responses: { 200: TestMarkerPage },
})

export const listOrderSetMarkers = endpoint({
  id: 'labTests.listOrderSetMarkers',
  method: 'POST',
  path: '/v3/lab_tests/list_order_set_markers',
  spec: '4.6',
  effect: 'read',
  query: MarkerPaging,
  body: OrderSet,
  responses: { 200: MarkerPage },
})

export const listLabTests = endpoint({
  id: 'labTests.list',
  method: 'GET',
  path: '/v3/lab_test',
  spec: '4.12',
  effect: 'read',
  query: LabTestQuery,
  responses: { 200: LabTestPage },
})

export const listAllLabTests = endpoint({
  id: 'labTests.listAll',
  method: 'GET',
  path: '/v3/lab_tests',
  spec: '9',
  effect: 'read',
  responses: { 200: z.array(LabTest) },
  deprecated: { replacement: 'GET /v3/lab_test' },
})
