import type { LabTest } from '../../src/contract/lab-tests.ts'
import type { Marker } from '../../src/contract/markers.ts'
import { lazy } from '../base/lazy.ts'
import { Random } from '../base/random.ts'
import {
  type AnalyteName,
  analyteNames,
  analytePanels,
  analytes,
  withoutPrice,
} from './analytes.ts'

/** A lab of the catalogue. */
export interface CatalogueLab {
  /** The number of the lab. */
  id: number
  /** A short name for URLs. */
  slug: string
  /** The name of the lab. */
  name: string
}

/** A lab test with its lab and markers by id. */
export interface CatalogueLabTest extends Omit<LabTest, 'lab' | 'markers'> {
  /** A short name for URLs. */
  slug: string
  /** The name of the lab test. */
  name: string
  /** What the lab test measures. */
  description: string
  /** How the sample is taken, such as `at_home_phlebotomy`. */
  method: string
  /** Such as `active`. */
  status: string
  /** In US dollars. */
  price: number
  /** The lab that offers the test. */
  lab_id: number
  /** The markers that the test measures. */
  marker_ids: number[]
}

/** A marker with the fields that only its filters read (specification 4.4). */
export interface CatalogueMarker extends Marker {
  /** The lab that offers the marker. */
  lab_id: number
  /** The lab's code of the marker. */
  provider_id: string
  /** Whether the marker can be ordered alone. */
  a_la_carte_enabled: boolean
  /** The code of the lab's test. */
  test_code: string
}

/** A lab with the analytes that it offers alone; every lab offers the panels. */
interface Offer extends CatalogueLab {
  analytes: readonly AnalyteName[]
  /** Returns the lab's code of its marker at an index. */
  codeAt: (index: number) => string
}

const offers: readonly Offer[] = [
  {
    id: 6,
    slug: 'northlab',
    name: 'Northlab Diagnostics',
    analytes: analyteNames,
    codeAt: (index) => String(10_000 + index * 17),
  },
  {
    id: 27,
    slug: 'clearwater',
    name: 'Clearwater Laboratories',
    analytes: analyteNames.slice(17, 70),
    codeAt: (index) => `CW${String(index).padStart(4, '0')}`,
  },
  {
    id: 44,
    slug: 'harbor',
    name: 'Harbor Home Testing',
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

/** Lab tests: every lab that offers all of its markers has the test. */
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

/** How a sample is taken, by lab; only `at_home_phlebotomy` can be booked (specification 4.8). */
const methodsByLab: Readonly<Record<string, readonly string[]>> = {
  northlab: ['at_home_phlebotomy', 'walk_in_test'],
  clearwater: ['at_home_phlebotomy'],
  harbor: ['testkit'],
}

/** The labs that every team starts with. */
export const seedLabs: readonly CatalogueLab[] = offers.map(({ id, slug, name }) => ({
  id,
  slug,
  name,
}))

/** The markers that every team starts with. */
export const seedMarkers = lazy((): readonly CatalogueMarker[] =>
  offers.flatMap((lab, position) => {
    const single = lab.analytes.map((name) => [name, [name]] as const)
    return [...single, ...Object.entries(analytePanels)].map(([name, results], index) => {
      const id = (position + 1) * 1000 + index + 1
      return offerMarker(lab, { id, name, results, code: lab.codeAt(index) })
    })
  }),
)

/** The lab tests that every team starts with. */
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

/** What distinguishes the markers of a lab. */
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
  return { id: lab_id * 1000 + id, name, slug, lab_id, provider_id, loinc }
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
