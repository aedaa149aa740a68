import type { OrderSet } from '../../../src/contract/lab-tests.ts'
import type { ExpectedResult } from '../../../src/contract/markers.ts'
import type { OrderInput, OrderResult } from '../../../src/contract/orders.ts'
import { MockError } from '../../errors.ts'
import { criticalLimitsOf, isCritical } from '../../living/labs/reference-ranges.ts'
import { resultsOf } from '../../living/labs/results.ts'
import type { LivingPerson } from '../../living/person/life.ts'
import { day } from '../../shared/time-units.ts'
import { localTime } from '../../shared/time-zone.ts'
import type { RecordPort } from '../ports.ts'
import type { Catalogue } from './collections.ts'

interface TestedOrder {
  readonly id: string
  readonly user_id: string
  readonly order_set: OrderSet
  readonly patient_details: OrderInput['patient_details']
}

/** @throws {MockError} `invalid_state` if `critical` is true but no ordered marker has critical limits. */
export function orderResults(
  order: TestedOrder,
  critical: boolean,
  { catalogue, random, clock, data }: RecordPort,
): OrderResult[] {
  const person = patientOf(data.personOf(order.user_id), order.patient_details)
  const results = resultsOf(expectedResults(order, catalogue), {
    person,
    date: Math.floor(localTime(person.zone, clock.moment) / day),
    random: random.fork(`results/${order.id}`),
    isCritical: critical,
  })
  if (!critical || results.some(isCritical)) return results
  throw new MockError(
    'invalid_state',
    'The order cannot have a critical result, because none of its markers has critical limits. ' +
      'Order a marker with critical limits, such as Potassium or Basic Metabolic Panel.',
  )
}

export function canBeCritical(order: TestedOrder, catalogue: Catalogue): boolean {
  return expectedResults(order, catalogue).some(({ name }) => criticalLimitsOf(name ?? ''))
}

function expectedResults({ order_set }: TestedOrder, catalogue: Catalogue): ExpectedResult[] {
  const ofTests = (order_set.lab_test_ids ?? []).flatMap(
    (test) => catalogue.labTests.get(test)?.marker_ids ?? [],
  )
  return [...ofTests, ...(order_set.add_on?.marker_ids ?? [])].flatMap(
    (marker) => catalogue.markers.get(marker)?.expected_results ?? [],
  )
}

/** Returns the person to generate results for: the user, but with the order's sex and date of birth, if valid. */
function patientOf(person: LivingPerson, patient: TestedOrder['patient_details']): LivingPerson {
  const { gender, dob = '' } = patient ?? {}
  const date = Math.floor(Date.parse(dob) / day)
  const born = Number.isNaN(date) ? person.born : date
  const sex = gender === 'female' || gender === 'male' ? gender : person.sex
  const isSame = sex === person.sex && born === person.born
  // Plans are cached by object, so an unchanged person must stay the same object.
  return isSame ? person : { ...person, sex, born }
}
