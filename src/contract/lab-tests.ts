import * as z from 'zod/mini'
import {
  Marker,
  MarkerPage,
  MarkerPaging,
  MarkerQuery,
  TestMarkerPage,
  TestMarkerQuery,
} from './markers.ts'
import { endpoint } from './schema/define-endpoint.ts'
import { lenient, nullishString, uuid } from './schema/schema.ts'

/** The additions of an order set to its lab tests (specification 4.6). */
export interface OrderSetAddOn {
  /** Markers by `provider_id`. */
  provider_ids?: string[] | null | undefined
  /** Markers by id (assumption). */
  marker_ids?: number[] | null | undefined
}
export const OrderSetAddOn = z.object({
  provider_ids: z.nullish(z.array(z.string())),
  marker_ids: z.nullish(z.array(z.int())),
})

/** Lab tests and additional markers that are ordered together (specification 4.6). */
export interface OrderSet {
  /** Lab tests by id. */
  lab_test_ids?: string[] | null | undefined
  /** Further markers, beyond the markers of the lab tests. */
  add_on?: OrderSetAddOn | null | undefined
}
export const OrderSet = z.object({
  lab_test_ids: z.nullish(z.array(z.string())),
  add_on: z.nullish(OrderSetAddOn),
})

/** A lab that runs lab tests (specification 4.12). */
export interface Lab {
  /** The id of the lab partner. */
  id?: number | null | undefined
  /** The identifier in lower case, for `lab_slug` of a query. */
  slug?: string | null | undefined
  /** The name of the lab. */
  name?: string | null | undefined
  /** Street and house number (assumption). */
  first_line_address?: string | null | undefined
  /** The name of the city (assumption). */
  city?: string | null | undefined
  /** The ZIP code (assumption). */
  zipcode?: string | null | undefined
  /** How the lab's samples are taken, such as at_home_phlebotomy (assumption). */
  collection_methods?: string[] | null | undefined
  /** What the lab examines, such as serum or saliva (assumption). */
  sample_types?: string[] | null | undefined
}
export const Lab = z.object({
  id: z.nullish(z.int()),
  slug: nullishString,
  name: nullishString,
  first_line_address: nullishString,
  city: nullishString,
  zipcode: nullishString,
  collection_methods: z.nullish(z.array(z.string())),
  sample_types: z.nullish(z.array(z.string())),
})

/** A lab test of the catalogue (specification 4.12; shape assumed). */
export interface LabTest {
  /** The lab test, a UUID, for `lab_test_ids` of an order set. */
  id: string
  /** The identifier in lower case, such as `lipid-panel`. */
  slug?: string | null | undefined
  /** The name of the lab test. */
  name?: string | null | undefined
  /** What the lab test measures, for people. */
  description?: string | null | undefined
  /** How the sample is taken, such as at_home_phlebotomy, testkit or walk_in_test. */
  method?: string | null | undefined
  /** What is examined, such as serum or saliva. */
  sample_type?: string | null | undefined
  /** Whether the test can be ordered, such as `active`. */
  status?: string | null | undefined
  /** Whether `status` is `active`. */
  is_active?: boolean | null | undefined
  /** A number, or a decimal such as `"40.00"`. The currency is not specified. */
  price?: number | string | null | undefined
  /** The lab that performs the test. */
  lab?: Lab | null | undefined
  /** The markers of the test. */
  markers?: Marker[] | null | undefined
}
export const LabTest = z.object({
  id: lenient.uuid,
  slug: nullishString,
  name: nullishString,
  description: nullishString,
  method: nullishString,
  sample_type: nullishString,
  status: nullishString,
  is_active: z.nullish(z.boolean()),
  price: z.nullish(z.union([z.number(), z.string()])),
  lab: z.nullish(Lab),
  markers: z.nullish(z.array(Marker)),
})

/** One page of lab tests. */
export interface LabTestPage {
  /** The lab tests of this page. */
  data: LabTest[]
  /** The cursor of the next page; null or absent on the last page. */
  next_cursor?: string | null | undefined
}
export const LabTestPage = z.object({ data: z.array(LabTest), next_cursor: nullishString })

/** Filters for lab tests (specification 4.12; further parameters assumed). */
export interface LabTestQuery {
  /** Lab tests on a page, at least 1. Default: 50 (assumption). */
  lab_test_limit?: number | undefined
  /** The cursor of a page, from the page before it. Default: the first page. */
  next_cursor?: string | null | undefined
  /** Part of the name of a lab test. */
  name?: string | null | undefined
  /** The slug of a lab. */
  lab_slug?: string | null | undefined
  /** How the sample is taken, such as at_home_phlebotomy, testkit or walk_in_test. */
  collection_method?: string | null | undefined
  /** The status of a lab test, such as `active`. */
  status?: string | null | undefined
}
export const LabTestQuery = z.object({
  lab_test_limit: z.optional(lenient.positive),
  next_cursor: nullishString,
  name: nullishString,
  lab_slug: nullishString,
  collection_method: nullishString,
  status: nullishString,
})

export const listMarkers = endpoint('labTests.listMarkers', {
  query: MarkerQuery,
  responses: { 200: MarkerPage },
})

export const listTestMarkers = endpoint('labTests.listTestMarkers', {
  params: { lab_test_id: uuid },
  query: TestMarkerQuery,
  responses: { 200: TestMarkerPage },
})

export const listOrderSetMarkers = endpoint('labTests.listOrderSetMarkers', {
  query: MarkerPaging,
  body: OrderSet,
  responses: { 200: MarkerPage },
})

export const listLabTests = endpoint('labTests.list', {
  query: LabTestQuery,
  responses: { 200: LabTestPage },
})

export const listAllLabTests = endpoint('labTests.listAll', {
  responses: { 200: z.array(LabTest) },
})
