import type { LabTest } from '../../src/contract/lab-tests.ts'
import type { Loinc, Marker } from '../../src/contract/markers.ts'
import { Random } from '../base/random.ts'

/** A lab of the catalogue. */
export interface CatalogueLab {
  id: number
  slug: string
  name: string
}

/** A lab test with its lab and markers by id. */
export interface CatalogueLabTest extends Omit<LabTest, 'lab' | 'markers'> {
  slug: string
  name: string
  description: string
  method: string
  status: string
  price: number
  lab_id: number
  marker_ids: number[]
}

/** A marker with what only its filters know (specification 4.4). */
export interface CatalogueMarker extends Marker {
  lab_id: number
  provider_id: string
  a_la_carte_enabled: boolean
  test_code: string
}

/** A measured value: its name, LOINC code and unit (in UCUM). */
type Analyte = [name: string, loinc: string, unit: string | null]

/** What labs measure, by a short name. */
const analytes = {
  glucose: ['Glucose', '2345-7', 'mg/dL'],
  bun: ['Urea Nitrogen', '3094-0', 'mg/dL'],
  creatinine: ['Creatinine', '2160-0', 'mg/dL'],
  egfr: ['Estimated Glomerular Filtration Rate', '98979-8', 'mL/min/{1.73_m2}'],
  sodium: ['Sodium', '2951-2', 'mmol/L'],
  potassium: ['Potassium', '2823-3', 'mmol/L'],
  chloride: ['Chloride', '2075-0', 'mmol/L'],
  co2: ['Carbon Dioxide', '2028-9', 'mmol/L'],
  calcium: ['Calcium', '17861-6', 'mg/dL'],
  protein: ['Total Protein', '2885-2', 'g/dL'],
  albumin: ['Albumin', '1751-7', 'g/dL'],
  globulin: ['Globulin', '10834-0', 'g/dL'],
  bilirubin: ['Total Bilirubin', '1975-2', 'mg/dL'],
  directBilirubin: ['Direct Bilirubin', '1968-7', 'mg/dL'],
  alp: ['Alkaline Phosphatase', '6768-6', 'U/L'],
  ast: ['Aspartate Aminotransferase', '1920-8', 'U/L'],
  alt: ['Alanine Aminotransferase', '1742-6', 'U/L'],
  ggt: ['Gamma Glutamyl Transferase', '2324-2', 'U/L'],
  ldh: ['Lactate Dehydrogenase', '2532-0', 'U/L'],
  cholesterol: ['Total Cholesterol', '2093-3', 'mg/dL'],
  triglycerides: ['Triglycerides', '2571-8', 'mg/dL'],
  hdl: ['HDL Cholesterol', '2085-9', 'mg/dL'],
  ldl: ['LDL Cholesterol', '13457-7', 'mg/dL'],
  vldl: ['VLDL Cholesterol', '13458-5', 'mg/dL'],
  apob: ['Apolipoprotein B', '1884-6', 'mg/dL'],
  apoa1: ['Apolipoprotein A-1', '1869-7', 'mg/dL'],
  lpa: ['Lipoprotein (a)', '10835-7', 'mg/dL'],
  wbc: ['White Blood Cell Count', '6690-2', '10*3/uL'],
  rbc: ['Red Blood Cell Count', '789-8', '10*6/uL'],
  hemoglobin: ['Hemoglobin', '718-7', 'g/dL'],
  hematocrit: ['Hematocrit', '4544-3', '%'],
  mcv: ['Mean Corpuscular Volume', '787-2', 'fL'],
  mch: ['Mean Corpuscular Hemoglobin', '785-6', 'pg'],
  mchc: ['Mean Corpuscular Hemoglobin Concentration', '786-4', 'g/dL'],
  rdw: ['Red Cell Distribution Width', '788-0', '%'],
  platelets: ['Platelet Count', '777-3', '10*3/uL'],
  neutrophils: ['Absolute Neutrophils', '751-8', '10*3/uL'],
  lymphocytes: ['Absolute Lymphocytes', '731-0', '10*3/uL'],
  monocytes: ['Absolute Monocytes', '742-7', '10*3/uL'],
  eosinophils: ['Absolute Eosinophils', '711-2', '10*3/uL'],
  basophils: ['Absolute Basophils', '704-7', '10*3/uL'],
  tsh: ['Thyroid Stimulating Hormone', '3016-3', 'm[IU]/L'],
  freeT4: ['Free T4', '3024-7', 'ng/dL'],
  freeT3: ['Free T3', '3051-0', 'pg/mL'],
  t4: ['Total T4', '3026-2', 'ug/dL'],
  t3: ['Total T3', '3053-6', 'ng/dL'],
  tpo: ['Thyroid Peroxidase Antibodies', '8099-4', '[IU]/mL'],
  testosterone: ['Total Testosterone', '2986-8', 'ng/dL'],
  freeTestosterone: ['Free Testosterone', '2991-8', 'pg/mL'],
  estradiol: ['Estradiol', '2243-4', 'pg/mL'],
  progesterone: ['Progesterone', '2839-9', 'ng/mL'],
  fsh: ['Follicle Stimulating Hormone', '15067-2', 'm[IU]/mL'],
  lh: ['Luteinizing Hormone', '10501-5', 'm[IU]/mL'],
  prolactin: ['Prolactin', '2842-3', 'ng/mL'],
  cortisol: ['Cortisol', '2143-6', 'ug/dL'],
  dheas: ['DHEA Sulfate', '2191-5', 'ug/dL'],
  shbg: ['Sex Hormone Binding Globulin', '13967-5', 'nmol/L'],
  insulin: ['Insulin', '20448-7', 'u[IU]/mL'],
  igf1: ['Insulin-Like Growth Factor 1', '2484-4', 'ng/mL'],
  psa: ['Prostate Specific Antigen', '2857-1', 'ng/mL'],
  amh: ['Anti-Mullerian Hormone', '38476-8', 'ng/mL'],
  vitaminD: ['Vitamin D, 25-Hydroxy', '62292-8', 'ng/mL'],
  b12: ['Vitamin B12', '2132-9', 'pg/mL'],
  folate: ['Folate', '2284-8', 'ng/mL'],
  ferritin: ['Ferritin', '2276-4', 'ng/mL'],
  iron: ['Iron', '2498-4', 'ug/dL'],
  tibc: ['Total Iron Binding Capacity', '2500-7', 'ug/dL'],
  ironSaturation: ['Iron Saturation', '2502-3', '%'],
  transferrin: ['Transferrin', '3034-6', 'mg/dL'],
  magnesium: ['Magnesium', '19123-9', 'mg/dL'],
  phosphorus: ['Phosphorus', '2777-1', 'mg/dL'],
  zinc: ['Zinc', '5763-8', 'ug/dL'],
  homocysteine: ['Homocysteine', '13965-9', 'umol/L'],
  crp: ['C-Reactive Protein', '1988-5', 'mg/L'],
  hscrp: ['High Sensitivity C-Reactive Protein', '30522-7', 'mg/L'],
  esr: ['Erythrocyte Sedimentation Rate', '4537-7', 'mm/h'],
  uricAcid: ['Uric Acid', '3084-1', 'mg/dL'],
  rheumatoid: ['Rheumatoid Factor', '11572-5', '[IU]/mL'],
  a1c: ['Hemoglobin A1c', '4548-4', '%'],
  hiv: ['HIV 1 and 2 Antigen and Antibody', '56888-1', null],
  hepatitisC: ['Hepatitis C Antibody', '16128-1', null],
  hepatitisB: ['Hepatitis B Surface Antigen', '5196-1', null],
  syphilis: ['Rapid Plasma Reagin', '20507-0', null],
  chlamydia: ['Chlamydia trachomatis', '43304-5', null],
  gonorrhea: ['Neisseria gonorrhoeae', '43305-2', null],
  urineAlbumin: ['Albumin to Creatinine Ratio, Urine', '9318-7', 'mg/g'],
  prothrombin: ['Prothrombin Time', '5902-2', 's'],
  inr: ['International Normalized Ratio', '6301-6', null],
  amylase: ['Amylase', '1798-8', 'U/L'],
  lipase: ['Lipase', '3040-3', 'U/L'],
  creatineKinase: ['Creatine Kinase', '2157-6', 'U/L'],
} as const satisfies Record<string, Analyte>
type AnalyteName = keyof typeof analytes
const analyteNames = Object.keys(analytes) as AnalyteName[]

/** Markers that give several results. */
const panels: Record<string, AnalyteName[]> = {
  'Basic Metabolic Panel': analyteNames.slice(0, 9),
  'Comprehensive Metabolic Panel': analyteNames.slice(0, 17),
  'Lipid Panel': ['cholesterol', 'triglycerides', 'hdl', 'ldl', 'vldl'],
  'Complete Blood Count': analyteNames.slice(
    analyteNames.indexOf('wbc'),
    analyteNames.indexOf('basophils') + 1,
  ),
  'Thyroid Panel': ['tsh', 'freeT4', 'freeT3'],
  'Iron Panel': ['iron', 'tibc', 'ironSaturation', 'ferritin'],
  'Hepatic Function Panel': ['protein', 'albumin', 'bilirubin', 'alp', 'ast', 'alt'],
}

/** Markers with one result that a lab offers only in a panel: they have no price. */
const withoutPrice: AnalyteName[] = ['egfr', 'globulin', 'vldl', 'rdw', 'mchc', 'basophils', 'inr']

/** Which analytes a lab offers alone; every lab offers the panels. */
const offers: (CatalogueLab & { analytes: AnalyteName[]; code: (at: number) => string })[] = [
  {
    id: 6,
    slug: 'northlab',
    name: 'Northlab Diagnostics',
    analytes: analyteNames,
    code: (at) => String(10_000 + at * 17),
  },
  {
    id: 27,
    slug: 'clearwater',
    name: 'Clearwater Laboratories',
    analytes: analyteNames.slice(17, 70),
    code: (at) => `CW${String(at).padStart(4, '0')}`,
  },
  {
    id: 44,
    slug: 'harbor',
    name: 'Harbor Home Testing',
    analytes: ['a1c', 'tsh', 'vitaminD', 'ferritin', 'hscrp', 'testosterone', 'cortisol', 'apob'],
    code: (at) => `HB-${100 + at}`,
  },
]

/** Lab tests: every lab that offers all of its markers has the test. */
const tests: Record<string, string[]> = {
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

/** How a sample is taken at each lab; the first is bookable (specification 4.8). */
const methods = [
  ['northlab', 'at_home_phlebotomy'],
  ['northlab', 'walk_in_test'],
  ['clearwater', 'at_home_phlebotomy'],
  ['harbor', 'testkit'],
] as const

export const labs: readonly CatalogueLab[] = offers.map(({ id, slug, name }) => ({
  id,
  slug,
  name,
}))

export const markers: readonly CatalogueMarker[] = offers.flatMap((lab, position) => {
  const alone = lab.analytes.map((name) => ({ name: analytes[name][0], of: [name] }))
  const together = Object.entries(panels).map(([name, of]) => ({ name, of }))
  return [...alone, ...together].map(({ name, of }, at) => marker(lab, position, name, of, at))
})

export const labTests: readonly CatalogueLabTest[] = methods.flatMap(([slug, method]) => {
  // Each method names a lab of the table above.
  const lab = labs.find((one) => one.slug === slug) as CatalogueLab
  const offered = new Map(
    markers.filter(({ lab_id }) => lab_id === lab.id).map((marker) => [marker.name, marker.id]),
  )
  return Object.entries(tests)
    .filter(([, names]) => names.every((name) => offered.has(name)))
    .map(([name, names]) =>
      labTest(
        lab,
        method,
        name,
        names.flatMap((one) => offered.get(one) ?? []),
      ),
    )
})

function marker(
  { id: lab_id, slug: lab, code }: (typeof offers)[number],
  position: number,
  name: string,
  of: readonly AnalyteName[],
  at: number,
): CatalogueMarker {
  const [first] = of
  const isPanel = of.length > 1
  const hasPrice = isPanel || !first || !withoutPrice.includes(first)
  const random = new Random(`marker/${lab}/${name}`)
  return {
    id: (position + 1) * 1000 + at + 1,
    name,
    slug: slugOf(name),
    description: isPanel
      ? `${name}: ${of.length} results`
      : `${name} in a sample of blood or urine`,
    lab_id,
    provider_id: code(at),
    type: isPanel ? 'panel' : 'biomarker',
    unit: isPanel || !first ? null : analytes[first][2],
    price: hasPrice ? `${random.integer(isPanel ? 12 : 4, isPanel ? 60 : 45)}.00` : 'N/A',
    expected_results: of.map((analyte, result) =>
      expectedResult(analyte, lab_id, `${code(at)}${isPanel ? `.${result + 1}` : ''}`),
    ),
    a_la_carte_enabled: hasPrice,
    test_code: code(at),
  }
}

function expectedResult(analyte: AnalyteName, lab_id: number, provider_id: string) {
  const [name] = analytes[analyte]
  const id = analyteNames.indexOf(analyte) + 1
  return {
    id: lab_id * 1000 + id,
    name,
    slug: slugOf(name),
    lab_id,
    provider_id,
    loinc: loincOf(id),
  }
}

function loincOf(id: number): Loinc {
  // Ids count the analytes from 1.
  const [name, code, unit] = analytes[analyteNames[id - 1] as AnalyteName]
  return { id, name, slug: slugOf(name), code, unit }
}

function labTest(
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
