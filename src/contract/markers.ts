import * as z from 'zod/mini'
import { integer, lenient, nullishString, openEnum, uuid } from './schema-tools/schema.ts'
import { markerPage, markerPageSize } from './values/bounds.ts'
import { type MarkerType, markerTypes, type Open } from './values/known-values.ts'

/** An entry in the LOINC catalogue of laboratory observations (specification 2.5). */
export interface Loinc {
  /** The service's id for the entry. */
  id: number
  /** The observation's name. */
  name: string
  /** A lower-case identifier, such as `hemoglobin-a1c`. */
  slug: string
  /** The LOINC code, such as `2345-7`. */
  code: string
  /** The observation's unit, such as `mg/dL`. */
  unit?: string | null | undefined
}
export const Loinc = z.object({
  id: z.int(),
  name: z.string(),
  slug: z.string(),
  code: z.string(),
  unit: nullishString,
})

/** A result that a marker is expected to produce (specification 2.5). */
export interface ExpectedResult {
  /** The id of the expected result. */
  id: number
  /** The result's name. */
  name: string
  /** A lower-case identifier, such as `hemoglobin-a1c`. */
  slug: string
  /** The id of the lab partner that reports the result. */
  lab_id?: number | null | undefined
  /** The lab's code for the result (assumption). */
  provider_id?: string | null | undefined
  /** Whether the lab always reports the result (assumption). */
  required?: boolean | null | undefined
  /** The result's LOINC entry. */
  loinc?: Loinc | null | undefined
}
export const ExpectedResult = z.object({
  id: z.int(),
  name: z.string(),
  slug: z.string(),
  lab_id: z.nullish(z.int()),
  provider_id: nullishString,
  required: z.nullish(z.boolean()),
  loinc: z.nullish(Loinc),
})

/** A lab test marker (specification 2.5). */
export interface Marker {
  /** The marker's id, for use in an order set's `marker_ids`. */
  id: number
  /** The marker's name. */
  name: string
  /** A lower-case identifier, such as `hemoglobin-a1c`. */
  slug: string
  /** A description of what the marker measures. */
  description?: string | null | undefined
  /** The id of the lab partner that offers the marker. */
  lab_id?: number | null | undefined
  /** The lab's test code (assumption), for use in an order set's `provider_ids`. */
  provider_id?: string | null | undefined
  /** `biomarker`, `panel`, or a value added later. */
  type?: Open<MarkerType> | null | undefined
  /** The result's unit, such as `mg/dL`. */
  unit?: string | null | undefined
  /** The price: a decimal string such as `"10.00"`, or a placeholder if no price is available. */
  price?: string | null | undefined
  /** The results that the lab reports for the marker. */
  expected_results?: ExpectedResult[] | null | undefined
}
export const Marker = z.object({
  id: z.int(),
  name: z.string(),
  slug: z.string(),
  description: nullishString,
  lab_id: z.nullish(z.int()),
  provider_id: nullishString,
  type: z.nullish(openEnum(markerTypes)),
  unit: nullishString,
  price: nullishString,
  expected_results: z.nullish(z.array(ExpectedResult)),
})

/** A page of markers (specification 2.5). Numeric fields may be null or absent. */
export interface MarkerPage {
  /** The markers on this page; empty after the last page. */
  markers: Marker[]
  /** The total number of markers across all pages. */
  total?: number | null | undefined
  /** The page number, starting at 1. */
  page?: number | null | undefined
  /** The maximum number of markers per page. */
  size?: number | null | undefined
  /** The number of pages. */
  pages?: number | null | undefined
}
export const MarkerPage = z.object({
  markers: z.array(Marker),
  total: z.nullish(lenient.count),
  page: z.nullish(lenient.count),
  size: z.nullish(lenient.count),
  pages: z.nullish(lenient.count),
})

/** A page of one lab test's markers (specification 4.5). Numeric fields may be null. */
export interface TestMarkerPage {
  /** The markers on this page; empty after the last page. */
  markers: Marker[]
  /** The total number of markers across all pages. */
  total: number | null
  /** The page number, starting at 1. */
  page: number | null
  /** The maximum number of markers per page. */
  size: number | null
  /** The number of pages. */
  pages: number | null
}
export const TestMarkerPage = z.object({
  markers: z.array(Marker),
  total: z.nullable(lenient.count),
  page: z.nullable(lenient.count),
  size: z.nullable(lenient.count),
  pages: z.nullable(lenient.count),
})

/** Selects the page of markers to return (specification part 8). */
export interface MarkerPaging {
  /** The page number, at least 1. Default: 1. */
  page?: number | undefined
  /** The number of markers per page, from 1 to 100. Default: 50. */
  size?: number | undefined
}
const paging = {
  page: z.optional(integer(markerPage.minimum)),
  size: z.optional(integer(markerPageSize.minimum, markerPageSize.maximum)),
}
export const MarkerPaging = z.object(paging)

/** Filters for markers (specification 4.4). */
export interface MarkerQuery extends MarkerPaging {
  /** One or more lab partner ids; markers from any of these labs match. Ignored if you pass `lab_slug`. */
  lab_id?: number | number[] | null | undefined
  /** The lab's slug. Takes precedence over `lab_id`. */
  lab_slug?: string | null | undefined
  /** Part of the marker's name, or a test code (parameter name assumed). */
  name?: string | null | undefined
  /** Whether the marker can be ordered on its own (parameter assumed). */
  a_la_carte_enabled?: boolean | null | undefined
  /** The id of the lab account, which determines the available markers (parameter name assumed). */
  lab_account_id?: string | null | undefined
}
export const MarkerQuery = z.object({
  ...paging,
  lab_id: z.nullish(z.union([z.int(), z.array(z.int())])),
  lab_slug: nullishString,
  name: nullishString,
  a_la_carte_enabled: z.nullish(z.boolean()),
  lab_account_id: nullishString,
})

/** Filters for a lab test's markers (specification 4.5). */
export interface TestMarkerQuery extends MarkerPaging {
  /** The id (a UUID) of the lab account, which determines the available markers and tests. */
  lab_account_id?: string | null | undefined
}
export const TestMarkerQuery = z.object({ ...paging, lab_account_id: z.nullish(uuid) })
