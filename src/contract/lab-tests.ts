import * as z from 'zod/mini'
import {
  Marker,
  MarkerPage,
  MarkerPaging,
  MarkerQuery,
  TestMarkerPage,
  TestMarkerQuery,
} from './markers.ts'
import { endpoint } from './schema-tools/define-endpoint.ts'
import { lenient, nullishString, uuid } from './schema-tools/schema.ts'

/** The markers that an order set adds to its lab tests (specification 4.6). */
export interface OrderSetAddOn {
  /** The `provider_id` of each marker. */
  provider_ids?: string[] | null | undefined
  /** The ids of the markers (an assumption). */
  marker_ids?: number[] | null | undefined
}
export const OrderSetAddOn = z.object({
  provider_ids: z.nullish(z.array(z.string())),
  marker_ids: z.nullish(z.array(z.int())),
})

/** Lab tests and additional markers, ordered together (specification 4.6). */
export interface OrderSet {
  /** The ids of the lab tests. */
  lab_test_ids?: string[] | null | undefined
  /** Markers to order in addition to the lab tests. */
  add_on?: OrderSetAddOn | null | undefined
}
export const OrderSet = z.object({
  lab_test_ids: z.nullish(z.array(z.string())),
  add_on: z.nullish(OrderSetAddOn),
})

/** A lab that runs lab tests (specification 4.12). */
export interface Lab {
  /** The lab partner's id. */
  id?: number | null | undefined
  /** A lower-case identifier, used as `lab_slug` in queries. */
  slug?: string | null | undefined
  /** The lab's name. */
  name?: string | null | undefined
  /** Street and house number (assumption). */
  first_line_address?: string | null | undefined
  /** The city (assumption). */
  city?: string | null | undefined
  /** The ZIP code (assumption). */
  zipcode?: string | null | undefined
  /** The lab's collection methods, such as `at_home_phlebotomy` (assumption). */
  collection_methods?: string[] | null | undefined
  /** The sample materials that the lab analyses, such as serum or saliva (assumption). */
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

/** A lab test in the catalogue (specification 4.12; shape assumed). */
export interface LabTest {
  /** The lab test's id, a UUID, for use in `lab_test_ids`. */
  id: string
  /** A lower-case identifier, such as `lipid-panel`. */
  slug?: string | null | undefined
  /** The lab test's name. */
  name?: string | null | undefined
  /** A description of what the lab test measures. */
  description?: string | null | undefined
  /** The collection method, such as `at_home_phlebotomy` or `testkit`. */
  method?: string | null | undefined
  /** The sample material, such as serum or saliva. */
  sample_type?: string | null | undefined
  /** A status such as `active` that indicates whether the test can be ordered. */
  status?: string | null | undefined
  /** Whether `status` is `active`. */
  is_active?: boolean | null | undefined
  /** The price: a number, or a decimal string such as `"40.00"`. The currency is not specified. */
  price?: number | string | null | undefined
  /** The lab that performs the test. */
  lab?: Lab | null | undefined
  /** The test's markers. */
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
  /** The lab tests on this page. */
  data: LabTest[]
  /** The cursor for the next page; null or absent on the last page. */
  next_cursor?: string | null | undefined
}
export const LabTestPage = z.object({ data: z.array(LabTest), next_cursor: nullishString })

/** Filters for lab tests (specification 4.12; some parameters assumed). */
export interface LabTestQuery {
  /** The number of lab tests per page, at least 1. Default: 50 (an assumption). */
  lab_test_limit?: number | undefined
  /** The previous page's `next_cursor`. Default: the first page. */
  next_cursor?: string | null | undefined
  /** Part of the lab test's name. */
  name?: string | null | undefined
  /** A lab's slug. */
  lab_slug?: string | null | undefined
  /** The collection method, such as `at_home_phlebotomy` or `testkit`. */
  collection_method?: string | null | undefined
  /** A lab test's status, such as `active`. */
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
