import type { OrderSet } from '../../../src/contract/lab-tests.ts'
import type { ExpectedResult } from '../../../src/contract/markers.ts'
import type { Order, OrderInput, OrderResult } from '../../../src/contract/orders.ts'
import { usAddress, userInfo } from '../../data/people.ts'
import { requisitionUrl } from '../../routes/requisition.ts'
import { type Change, Collection } from '../collection.ts'
import type { Random } from '../random.ts'
import { dateTime } from '../time.ts'
import type { World } from '../world.ts'

/** A lab order of the team (specification 4.12). */
export interface LabOrder {
  id: string
  user_id: string
  order_set: OrderSet
  /** Such as `at_home_phlebotomy`, which alone can be booked (4.8). */
  collection_method: string
  status: string
  patient_details: OrderInput['patient_details']
  patient_address: OrderInput['patient_address']
  results: OrderResult[] | null
  /** The latest appointment; null before the first one. */
  appointment_id: string | null
  created_at: string
  updated_at: string
}

/** What is left out is made up; without `user_id` a user is created too. */
export type LabOrderInput = Partial<LabOrder>

/** The lab orders of a team (specification 4.12). */
export class Orders extends Collection<LabOrder, LabOrderInput> {
  readonly #world: World

  constructor(world: World, changed: (change: Change) => void) {
    super({
      name: 'orders',
      keyOf: ({ id }) => [id],
      make: (input) => makeOrder(input, world),
      changed,
    })
    this.#world = world
  }

  /**
   * Completes an order with a result for each result that its markers are expected to give.
   *
   * @throws {MockError} `unknown_record` when there is no such order.
   */
  complete(id: string): LabOrder {
    const { catalogue, clock, random } = this.#world
    const order = this.get(id)
    const { lab_test_ids, add_on } = order?.order_set ?? {}
    const ofTests = (lab_test_ids ?? []).flatMap((test) => catalogue.labTests.get(test)?.marker_ids)
    const markers = [...ofTests, ...(add_on?.marker_ids ?? [])].flatMap((marker) =>
      marker === undefined ? [] : (catalogue.markers.get(marker) ?? []),
    )
    const results = markers
      .flatMap(({ expected_results }) => expected_results ?? [])
      .map((expected) => resultOf(expected, random.fork(`result/${id}/${expected.id}`)))
    return this.update(id, { status: 'completed', results, updated_at: dateTime(clock.moment) })
  }
}

/** A result, with the deprecated `value` beside `result` and `result_type` (part 9). */
function resultOf({ name, slug, loinc }: ExpectedResult, random: Random): OrderResult {
  const value = random.integer(10, 2000) / 10
  return {
    name,
    slug,
    result: String(value),
    result_type: 'numeric',
    unit: loinc?.unit ?? null,
    value,
  }
}

function makeOrder(input: LabOrderInput, world: World): LabOrder {
  const { random, users, catalogue, clock } = world
  const id = input.id ?? random.uuid()
  const now = dateTime(clock.moment)
  const user_id = input.user_id ?? users.create().user_id
  const [labTest] = catalogue.labTests.list({ method: 'at_home_phlebotomy' })
  return {
    id,
    user_id,
    order_set: { lab_test_ids: labTest ? [labTest.id] : [], add_on: null },
    collection_method: 'at_home_phlebotomy',
    status: 'received',
    patient_details: patientDetails(random.fork(`order/${id}`)),
    patient_address: patientAddress(random.fork(`order/${id}/address`)),
    results: null,
    appointment_id: null,
    created_at: now,
    updated_at: now,
    ...input,
  }
}

function patientDetails(random: Random): LabOrder['patient_details'] {
  const { first_name, last_name, dob, gender, phone_number, email } = userInfo(random)
  return { first_name, last_name, dob, gender, phone_number, email }
}

function patientAddress(random: Random): LabOrder['patient_address'] {
  const address = usAddress(random)
  return {
    first_line: address.first_line ?? '',
    second_line: address.second_line ?? null,
    city: address.city ?? '',
    state: address.state ?? '',
    zip: address.zip_code ?? '',
    country: 'US',
    access_notes: address.access_notes ?? null,
  }
}

/** An order as it is answered. */
export function wireOrder(order: LabOrder, world: World): Order {
  const { id, user_id, order_set, collection_method, status, created_at, updated_at } = order
  const showsDeprecated = world.settings.deprecatedFields !== 'never'
  return {
    id,
    user_id,
    order_set,
    collection_method,
    status,
    created_at,
    updated_at,
    results: order.results?.map((result) => wireResult(result, showsDeprecated)) ?? null,
    ...(showsDeprecated ? { requisition_form_url: requisitionUrl(order, world) } : {}),
  }
}

function wireResult({ value, ...result }: OrderResult, showsDeprecated: boolean): OrderResult {
  return showsDeprecated ? { ...result, value } : result
}
