import { assertEqual, assertThat } from '../../assertions.ts'
import { fieldOf } from '../../shape.ts'
import type { AddedLab, MarkerOffer } from '../../steps/catalogue.ts'

/** Asserts that a list has the markers of an offer, with all fields of specification 2.5. */
export function assertStored(
  list: readonly unknown[],
  offers: readonly MarkerOffer[],
  lab: AddedLab,
  ids: readonly number[],
): void {
  for (const [at, offer] of offers.entries()) {
    const found = list.find((one) => fieldOf(one, 'id') === ids[at])
    assertThat(found !== undefined, 'Expected every marker of the lab in the list.')
    // The type may be one that the specification does not name.
    const { test_code: _, type: __, price, expected_results, ...fields } = offer
    const results = expected_results.map((one) => ({ ...one, lab_id: lab.id }))
    assertFields(found, { ...fields, lab_id: lab.id }, 'the marker')
    assertThat(typeof fieldOf(found, 'type') === 'string', 'Expected type to be a string.')
    if (price !== null) assertEqual(fieldOf(found, 'price'), price, 'price of the marker')
    assertResults(fieldOf(found, 'expected_results'), results)
  }
}

function assertResults(found: unknown, expected: readonly object[]): void {
  assertThat(Array.isArray(found), 'Expected the marker to have expected_results.')
  assertEqual(found.length, expected.length, 'the number of expected_results')
  for (const one of expected) {
    const same = found.find((other) => fieldOf(other, 'id') === fieldOf(one, 'id'))
    assertThat(same !== undefined, 'Expected every result of the marker in expected_results.')
    const { loinc, ...fields } = one as Record<string, unknown>
    assertFields(same, fields, 'an expected result')
    assertFields(fieldOf(same, 'loinc'), loinc as object, 'loinc')
  }
}

/** Asserts fields. A unit may always be null, and a field that is null may be missing. */
function assertFields(found: unknown, expected: object, name: string): void {
  for (const [field, value] of Object.entries(expected)) {
    const given = fieldOf(found, field) ?? null
    if (field === 'unit' && given === null) continue
    assertEqual(given, value, `${field} of ${name}`)
  }
}
