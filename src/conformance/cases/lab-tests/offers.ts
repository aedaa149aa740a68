import { assertEqual, assertThat } from '../../assertions.ts'
import type { AddedLab, MarkerOffer } from '../../setup.ts'
import { fieldOf } from '../../shape.ts'

/** Returns markers that differ in almost every field, so a field from a different marker is detected. */
export function makeMarkers(prefix: string, count: number): MarkerOffer[] {
  return Array.from({ length: count }, (_, at) => makeMarker(prefix, at + 1))
}

function makeMarker(prefix: string, number: number): MarkerOffer {
  const label = `${prefix} ${String(number).padStart(3, '0')}`
  const slug = label.toLowerCase().replace(' ', '-')
  const isPanel = number % 3 === 0
  return {
    name: `Marker ${label}`,
    slug,
    description: `Measures ${label} in blood, "fasting" & at rest – naïve 犬 🐕`,
    provider_id: `${prefix}-${number}`,
    type: isPanel ? 'panel' : 'biomarker',
    unit: isPanel ? null : `µg/${number}dL`,
    price: number % 4 === 0 ? null : `${number}.50`,
    test_code: `TC${prefix}${String(number).padStart(3, '0')}`,
    expected_results: Array.from({ length: isPanel ? 3 : 1 }, (_, at) =>
      makeExpectedResult(label, number * 10 + at),
    ),
  }
}

function makeExpectedResult(label: string, id: number) {
  return {
    id,
    name: `Result ${id} of ${label}`,
    slug: `result-${id}`,
    provider_id: `R${id}`,
    loinc: {
      id: 70_000 + id,
      name: `LOINC ${id}`,
      slug: `loinc-${id}`,
      code: `${id}-7`,
      unit: id % 2 === 0 ? null : `µU${id}/mL`,
    },
  }
}

/**
 * Asserts that the list contains the markers, and that their fields have the offered values. Allows any type, and any
 * price if the offer has none.
 */
export function assertStored(
  list: readonly unknown[],
  offers: readonly MarkerOffer[],
  lab: AddedLab,
  ids: readonly number[],
): void {
  for (const [at, offer] of offers.entries()) {
    const found = list.find((one) => fieldOf(one, 'id') === ids[at])
    assertThat(found !== undefined, 'Expected the list to contain every marker of the lab.')
    // The service may use a type that the specification does not name.
    const { test_code: _, type: __, price, expected_results, ...fields } = offer
    const results = expected_results.map((one) => ({ ...one, lab_id: lab.id }))
    assertFields(found, { ...fields, lab_id: lab.id }, 'the marker')
    assertThat(typeof fieldOf(found, 'type') === 'string', 'Expected type to be a string.')
    if (price !== null) assertEqual(fieldOf(found, 'price'), price, "the marker's price")
    assertResults(fieldOf(found, 'expected_results'), results)
  }
}

function assertResults(found: unknown, expected: readonly (object & { loinc: object })[]): void {
  assertThat(Array.isArray(found), "Expected the marker's expected_results to be an array.")
  assertEqual(found.length, expected.length, 'the number of expected_results')
  for (const one of expected) {
    const same = found.find((other) => fieldOf(other, 'id') === fieldOf(one, 'id'))
    assertThat(
      same !== undefined,
      'Expected expected_results to contain every result of the marker.',
    )
    const { loinc, ...fields } = one
    assertFields(same, fields, 'an expected result')
    assertFields(fieldOf(same, 'loinc'), loinc, 'loinc')
  }
}

/**
 * Asserts that an object's fields have the expected values. Any unit may be null or missing, and a null field may be
 * missing.
 */
function assertFields(found: unknown, expected: object, name: string): void {
  for (const [field, value] of Object.entries(expected)) {
    const given = fieldOf(found, field) ?? null
    if (field === 'unit' && given === null) continue
    assertEqual(given, value, `the ${field} of ${name}`)
  }
}
