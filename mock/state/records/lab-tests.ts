import * as z from 'zod/mini'
import type { LabTest } from '../../../src/contract/lab-tests.ts'
import { Marker } from '../../../src/contract/markers.ts'
import { lenient, nullishString } from '../../../src/contract/schema-tools/schema.ts'

/** A lab in the catalogue. */
export interface CatalogueLab {
  /** The lab's id, a number. */
  id: number
  /** A short name for URLs. */
  slug: string
  /** The lab's name. */
  name: string
  /** The street and house number. */
  first_line_address?: string | null | undefined
  /** The city, such as `Phoenix`. */
  city?: string | null | undefined
  /** The ZIP code. */
  zipcode?: string | null | undefined
}
export const CatalogueLab = z.object({
  id: z.int(),
  slug: z.string(),
  name: z.string(),
  first_line_address: nullishString,
  city: nullishString,
  zipcode: nullishString,
})

/** A lab test that references its lab and markers by id. */
export interface CatalogueLabTest extends Omit<LabTest, 'is_active' | 'lab' | 'markers'> {
  /** A short name for URLs. */
  slug: string
  /** The lab test's name. */
  name: string
  /** A description of the lab test. */
  description: string
  /** The collection method, such as `at_home_phlebotomy`. */
  method: string
  /** The sample type, such as `serum`. */
  sample_type?: string | null | undefined
  /** The status, such as `active`. */
  status: string
  /** The price, as a number. */
  price: number
  /** The id of the lab that offers the test. */
  lab_id: number
  /** The ids of the markers that the test measures. */
  marker_ids: number[]
}
export const CatalogueLabTest = z.object({
  id: lenient.uuid,
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  method: z.string(),
  sample_type: nullishString,
  status: z.string(),
  price: z.number(),
  lab_id: z.int(),
  marker_ids: z.array(z.int()),
})

/** A marker, with the additional fields that the filters use (specification 4.4). */
export interface CatalogueMarker extends Marker {
  /** The id of the lab that offers the marker. */
  lab_id: number
  /** The lab's code for the marker. */
  provider_id: string
  /** Whether the marker can be ordered on its own. */
  a_la_carte_enabled: boolean
  /** The lab's code for the test. */
  test_code: string
}
export const CatalogueMarker = z.object({
  ...Marker.shape,
  lab_id: z.int(),
  provider_id: z.string(),
  a_la_carte_enabled: z.boolean(),
  test_code: z.string(),
})

/** A lab account, which determines the available markers (specification 4.4, 4.5). */
export interface LabAccount {
  /** The lab account's id, a UUID. */
  id: string
  /** The ids of the labs whose markers are available to the account. */
  lab_ids: number[]
}
export const LabAccount = z.object({ id: z.string(), lab_ids: z.array(z.int()) })
