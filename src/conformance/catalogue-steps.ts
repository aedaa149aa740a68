import type { Awaitable } from '../contract/adopt.ts'

/** A marker to add to a lab: the fields of specification 2.5 without `id` and `lab_id`, and the code of the lab's test. */
export interface MarkerOffer {
  /** The name of the marker. */
  name: string
  /** The identifier in lower case. */
  slug: string
  /** What the marker measures. */
  description: string
  /** The identifier of the marker at its provider. */
  provider_id: string
  /** Such as `biomarker`. */
  type: string
  /** The unit of the result. */
  unit: string | null
  /** A decimal; null when no price is available, and a placeholder is allowed. */
  price: string | null
  /** The code of the lab's test, for the filter of specification 4.4. */
  test_code: string
  /** The results that the marker is expected to have. */
  expected_results: readonly ExpectedResultOffer[]
}

/** An expected result of a marker (specification 2.5), without `lab_id`. */
export interface ExpectedResultOffer {
  /** The id of the expected result. */
  id: number
  /** The name of the result. */
  name: string
  /** The identifier in lower case. */
  slug: string
  /** The identifier of the result at its provider. */
  provider_id: string
  /** The LOINC entry of the result. */
  loinc: {
    /** The id of the entry. */
    id: number
    /** The name of the observation. */
    name: string
    /** The identifier in lower case. */
    slug: string
    /** The LOINC code. */
    code: string
    /** The unit of the observation. */
    unit: string | null
  }
}

/** A lab to add to the catalogue. */
export interface LabOffer {
  /** The markers that the lab offers. */
  markers: readonly MarkerOffer[]
  /** For each lab test of the lab, which of the markers it has. */
  tests: readonly (readonly MarkerOffer[])[]
}

/** A lab that was added to the catalogue. */
export interface AddedLab {
  /** The id of the lab. */
  id: number
  /** The slug of the lab. */
  slug: string
  /** The ids of the markers, in the order of the offer. */
  markers: readonly number[]
  /** The ids of the lab tests, in the order of the offer; phlebotomists collect their samples at home. */
  tests: readonly string[]
}

/** The steps that prepare the catalogue. */
export interface CatalogueSteps {
  /** Adds a lab with markers and lab tests to the catalogue; each lab gets an id and a slug of its own. */
  lab?(offer: LabOffer): Awaitable<AddedLab>
  /** Returns the id of a lab account that may order from every lab, from none, or from these labs. */
  labAccount?(labs: 'all' | 'none' | readonly number[]): Awaitable<string>
}
