import { lazy } from '../../src/shared/memo.ts'
import type { CatalogueLab, CatalogueLabTest, CatalogueMarker } from '../state/records/lab-tests.ts'
import {
  type AnalyteName,
  analyteNames,
  analytePanels,
  analytes,
  withoutPrice,
} from './analytes.ts'
import { Random } from './random.ts'

/** A lab with the analytes for which it has a marker. Every lab also has a marker for each panel. */
interface Offer extends CatalogueLab {
  analytes: readonly AnalyteName[]
  codeAt: (index: number) => string
}

const offers: readonly Offer[] = [
  {
    id: 6,
    slug: 'northlab',
    name: 'Northlab Diagnostics',
    first_line_address: '1200 Research Drive',
    city: 'Denver',
    zipcode: '80202',
    analytes: analyteNames,
    codeAt: (index) => String(10_000 + index * 17),
  },
  {
    id: 27,
    slug: 'clearwater',
    name: 'Clearwater Laboratories',
    first_line_address: '88 Harbor Avenue',
    city: 'Miami',
    zipcode: '33101',
    analytes: analyteNames.slice(17, 70),
    codeAt: (index) => `CW${String(index).padStart(4, '0')}`,
  },
  {
    id: 44,
    slug: 'harbor',
    name: 'Harbor Home Testing',
    first_line_address: '7 Wharf Street',
    city: 'Boston',
    zipcode: '02110',
    analytes: [
      'Hemoglobin A1c',
      'Thyroid Stimulating Hormone',
      'Vitamin D, 25-Hydroxy',
      'Ferritin',
      'High Sensitivity C-Reactive Protein',
      'Total Testosterone',
      'Cortisol',
      'Apolipoprotein B',
    ],
    codeAt: (index) => `HB-${100 + index}`,
  },
]

/** The names of lab tests and their markers. A lab offers a test if it has a marker for each name. */
const tests: Readonly<Record<string, readonly string[]>> = {
  'General Wellness': ['Comprehensive Metabolic Panel', 'Complete Blood Count', 'Lipid Panel'],
  'Heart Health': ['Lipid Panel', 'Apolipoprotein B', 'High Sensitivity C-Reactive Protein'],
  'Thyroid Check': ['Thyroid Panel', 'Thyroid Peroxidase Antibodies'],
  'Iron Status': ['Iron Panel', 'Complete Blood Count'],
  'Blood Sugar': ['Hemoglobin A1c', 'Insulin'],
  'Diabetes Follow-up': ['Hemoglobin A1c'],
  'Vitamin Status': ['Vitamin D, 25-Hydroxy', 'Vitamin B12', 'Folate'],
  'Stress and Recovery': ['Cortisol', 'Ferritin', 'Vitamin D, 25-Hydroxy'],
  'Hormone Balance': ['Total Testosterone', 'Estradiol', 'Sex Hormone Binding Globulin'],
  'Sexual Health': ['HIV 1 and 2 Antigen and Antibody', 'Rapid Plasma Reagin'],
}

/** The collection methods of each lab. Bookings require `at_home_phlebotomy` (specification 4.8). */
const methodsByLab: Readonly<Record<string, readonly string[]>> = {
  northlab: ['at_home_phlebotomy', 'walk_in_test'],
  clearwater: ['at_home_phlebotomy'],
  harbor: ['testkit'],
}

/** The sample type of a collection method. Default: `serum`. */
const sampleTypes: Readonly<Record<string, string>> = { testkit: 'dried_blood_spot' }

export const seedLabs: readonly CatalogueLab[] = offers.map(
  ({ analytes: _, codeAt: __, ...lab }) => lab,
)

export const seedMarkers = lazy((): readonly CatalogueMarker[] =>
  offers.flatMap((lab, position) => {
    const single = lab.analytes.map((name) => [name, [name]] as const)
    return [...single, ...Object.entries(analytePanels)].map(([name, results], index) => {
      const id = (position + 1) * 1000 + index + 1
      return offerMarker(lab, { id, name, results, code: lab.codeAt(index) })
    })
  }),
)

export const seedLabTests = lazy((): readonly CatalogueLabTest[] =>
  seedLabs.flatMap((lab) => {
    const offered = seedMarkers().filter(({ lab_id }) => lab_id === lab.id)
    const ids = new Map(offered.map(({ name, id }) => [name, id]))
    return (methodsByLab[lab.slug] ?? []).flatMap((method) =>
      Object.entries(tests)
        .filter(([, names]) => names.every((name) => ids.has(name)))
        .map(([name, names]) => {
          const marker_ids = names.flatMap((marker) => ids.get(marker) ?? [])
          return offerLabTest(lab, method, name, marker_ids)
        }),
    )
  }),
)

interface MarkerOffer {
  id: number
  name: string
  results: readonly AnalyteName[]
  code: string
}

function offerMarker(
  { id: lab_id, slug: lab }: CatalogueLab,
  { id, name, results, code }: MarkerOffer,
): CatalogueMarker {
  const [first] = results
  const isPanel = results.length > 1
  const hasPrice = isPanel || !first || !withoutPrice.includes(first)
  const random = new Random(`marker/${lab}/${name}`)
  return {
    id,
    name,
    slug: slugOf(name),
    description: isPanel
      ? `${name}: ${results.length} results`
      : `${name} in a sample of blood or urine`,
    lab_id,
    provider_id: code,
    type: isPanel ? 'panel' : 'biomarker',
    unit: isPanel || !first ? null : analytes[first][1],
    price: hasPrice ? `${random.integer(isPanel ? 12 : 4, isPanel ? 60 : 45)}.00` : 'N/A',
    expected_results: results.map((analyte, index) =>
      expectedResult(analyte, lab_id, isPanel ? `${code}.${index + 1}` : code),
    ),
    a_la_carte_enabled: hasPrice,
    test_code: code,
  }
}

function expectedResult(name: AnalyteName, lab_id: number, provider_id: string) {
  const [code, unit] = analytes[name]
  const id = analyteNames.indexOf(name) + 1
  const slug = slugOf(name)
  const loinc = { id, name, slug, code, unit }
  return { id: lab_id * 1000 + id, name, slug, lab_id, provider_id, required: true, loinc }
}

function offerLabTest(
  lab: CatalogueLab,
  method: string,
  name: string,
  marker_ids: number[],
): CatalogueLabTest {
  const slug = `${lab.slug}-${slugOf(name)}-${slugOf(method)}`
  const random = new Random(`lab-test/${slug}`)
  return {
    id: random.uuid(),
    slug,
    name,
    description: `${name} by ${lab.name}`,
    method,
    sample_type: sampleTypes[method] ?? 'serum',
    status: 'active',
    price: random.integer(29, 249),
    lab_id: lab.id,
    marker_ids,
  }
}

function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
