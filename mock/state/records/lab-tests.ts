import type { LabTest } from '../../../src/contract/lab-tests.ts'
import type { Marker } from '../../../src/contract/markers.ts'
import type { CatalogueLab, CatalogueLabTest, CatalogueMarker } from '../../data/catalogue.ts'
import type { World } from '../world.ts'

/** A lab account, which decides the availability of markers and tests (specification 4.4, 4.5). */
export interface LabAccount {
  id: string
  /** The labs whose markers and tests the account may order. */
  lab_ids: number[]
}

export function makeLab(input: Partial<CatalogueLab>, { catalogue }: World): CatalogueLab {
  const id = input.id ?? nextId(catalogue.labs.list())
  return { id, slug: `lab-${id}`, name: `Lab ${id}`, ...input }
}

export function makeLabTest(
  input: Partial<CatalogueLabTest>,
  { catalogue, random }: World,
): CatalogueLabTest {
  const [lab] = catalogue.labs.list()
  const id = input.id ?? random.uuid()
  const slug = `lab-test-${id.slice(0, 8)}`
  return {
    id,
    slug,
    name: input.slug ?? slug,
    description: 'A lab test',
    method: 'at_home_phlebotomy',
    status: 'active',
    price: 0,
    lab_id: lab?.id ?? 1,
    marker_ids: [],
    ...input,
  }
}

export function makeMarker(input: Partial<CatalogueMarker>, { catalogue }: World): CatalogueMarker {
  const id = input.id ?? nextId(catalogue.markers.list())
  const slug = input.slug ?? `marker-${id}`
  const [lab] = catalogue.labs.list()
  return {
    id,
    name: input.name ?? slug,
    slug,
    description: null,
    lab_id: lab?.id ?? 1,
    provider_id: String(id),
    type: 'biomarker',
    unit: null,
    price: 'N/A',
    expected_results: [],
    a_la_carte_enabled: false,
    test_code: String(id),
    ...input,
  }
}

export function makeLabAccount(
  input: Partial<LabAccount>,
  { catalogue, random }: World,
): LabAccount {
  return {
    id: input.id ?? random.uuid(),
    lab_ids: input.lab_ids ?? catalogue.labs.list().map(({ id }) => id),
  }
}

/** A marker as it is answered. */
export function wireMarker(marker: CatalogueMarker): Marker {
  const { a_la_carte_enabled: _, test_code: __, ...wire } = marker
  return wire
}

/** A lab test as it is answered, with its lab and markers. */
export function wireLabTest(labTest: CatalogueLabTest, { catalogue }: World): LabTest {
  const { lab_id, marker_ids, ...wire } = labTest
  return {
    ...wire,
    lab: catalogue.labs.get(lab_id) ?? null,
    markers: markersOf(labTest, catalogue).map(wireMarker),
  }
}

export function markersOf(
  { marker_ids }: CatalogueLabTest,
  { markers }: World['catalogue'],
): CatalogueMarker[] {
  return marker_ids.map((id) => markers.get(id)).filter((marker) => marker !== undefined)
}

function nextId(records: { id: number }[]): number {
  return records.reduce((most, { id }) => Math.max(most, id), 0) + 1
}
