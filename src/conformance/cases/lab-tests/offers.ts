import type { MarkerOffer } from '../../steps/catalogue.ts'

/** Returns markers whose fields all differ, so that a field of another marker is noticed. */
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
    description: `Measures ${label} in blood, "fasting" & at rest`,
    provider_id: `${prefix}-${number}`,
    type: isPanel ? 'panel' : 'biomarker',
    unit: isPanel ? null : `mg/${number}dL`,
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
      unit: id % 2 === 0 ? null : `u${id}`,
    },
  }
}
