import type { OrderSet } from '../../../src/contract/lab-tests.ts'
import type { ExpectedResult } from '../../../src/contract/markers.ts'
import type { Order, OrderInput, OrderResult, OrderStep } from '../../../src/contract/orders.ts'
import type { Random } from '../../base/random.ts'
import { makePatient, postalAddress } from '../../data/people.ts'
import { dateTime } from '../clock/time.ts'
import { type Change, Collection } from '../collection.ts'
import type { Settings } from '../defaults.ts'
import type { Catalogue } from './lab-tests.ts'
import { requisitionStep, stepsOf } from './order-steps.ts'
import type { RecordContext } from './record-context.ts'
import { type RequisitionContext, requisitionUrl } from './requisition-url.ts'
import type { User } from './users.ts'

/** A lab order of the team (specification 4.12). */
export interface LabOrder {
  /** The id of the order, a UUID. */
  id: string
  /** The user whom the order is for. */
  user_id: string
  /** The ordered lab tests and markers. */
  order_set: OrderSet
  /** How the sample is taken; only `at_home_phlebotomy` can be booked (4.8). */
  collection_method: string
  /** Such as `received`, `collecting_sample`, `completed` or `cancelled`. */
  status: string
  /** The steps in the life of the order, the oldest first; a change of `status` adds one. */
  events: OrderStep[]
  /** The patient; by default, one that is generated. */
  patient_details: OrderInput['patient_details']
  /** Where the sample is taken. */
  patient_address: OrderInput['patient_address']
  /** Null until the order is completed. */
  results: OrderResult[] | null
  /** The id of the latest appointment; null before the first one. */
  appointment_id: string | null
  /** Virtual time, ISO 8601. */
  created_at: string
  /** Virtual time of the latest change, ISO 8601. */
  updated_at: string
}

/** An order to create. Omitted fields are generated; without `user_id` a user is created too. */
export type LabOrderInput = Partial<LabOrder>

interface OrdersContext extends RecordContext {
  readonly users: { create(): User }
  readonly catalogue: Catalogue
}

/** The lab orders of a team (specification 4.12). */
export class Orders extends Collection<LabOrder, LabOrderInput> {
  readonly #context: OrdersContext

  constructor(context: OrdersContext, changed: (change: Change) => void) {
    super({
      name: 'orders',
      keyOf: ({ id }) => [id],
      make: (input) => makeOrder(input, context),
      changed,
    })
    this.#context = context
  }

  /**
   * Replaces fields of an order. A new status of the service adds a step to `events`.
   *
   * @throws {MockError} `unknown_record` if no order has this id.
   */
  override update(id: string, changes: Partial<LabOrder>): LabOrder {
    const order = this.get(id)
    const { status } = changes
    if (!order || status === undefined || status === order.status) return super.update(id, changes)
    const steps = stepsOf({ ...order, status }, dateTime(this.#context.clock.moment))
    return super.update(id, { events: [...order.events, ...steps], ...changes })
  }

  /**
   * Records that the requisition form of an order exists.
   *
   * @throws {MockError} `unknown_record` if no order has this id.
   */
  addRequisition(id: string): LabOrder {
    const now = dateTime(this.#context.clock.moment)
    const order = this.get(id)
    if (!order) return this.update(id, {})
    const events = [...order.events, requisitionStep(order, now)]
    return this.update(id, { events, updated_at: now })
  }

  /**
   * Completes an order with a result for each result that its markers are expected to give.
   *
   * @throws {MockError} `unknown_record` if no order has this id.
   */
  complete(id: string): LabOrder {
    const { catalogue, clock, random } = this.#context
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

function makeOrder(
  input: LabOrderInput,
  { random, users, catalogue, clock }: OrdersContext,
): LabOrder {
  const id = input.id ?? random.uuid()
  const now = dateTime(clock.moment)
  const user_id = input.user_id ?? users.create().user_id
  const { collection_method = 'at_home_phlebotomy', status = 'received' } = input
  const [labTest] = catalogue.labTests.list({ method: 'at_home_phlebotomy' })
  return {
    id,
    user_id,
    order_set: { lab_test_ids: labTest ? [labTest.id] : [], add_on: null },
    collection_method,
    status,
    events: stepsOf({ status, collection_method }, now),
    patient_details: makePatient(random.fork(`order/${id}`)),
    patient_address: postalAddress(random.fork(`order/${id}/address`)),
    results: null,
    appointment_id: null,
    created_at: now,
    updated_at: now,
    ...input,
  }
}

/** The state from which the orders in responses are created. */
export interface WireOrderContext extends RequisitionContext {
  /** Whether deprecated fields are sent. */
  settings: Pick<Settings, 'deprecatedFields'>
}

/** Returns an order as the service sends it. */
export function wireOrder(order: LabOrder, context: WireOrderContext): Order {
  const { id, user_id, order_set, collection_method, status, events } = order
  const { created_at, updated_at } = order
  const showsDeprecated = context.settings.deprecatedFields !== 'never'
  return {
    id,
    user_id,
    order_set,
    collection_method,
    status,
    events,
    last_event: events.at(-1) ?? null,
    created_at,
    updated_at,
    results: order.results?.map((result) => wireResult(result, showsDeprecated)) ?? null,
    ...(showsDeprecated ? { requisition_form_url: requisitionUrl(order, context) } : {}),
  }
}

function wireResult({ value, ...result }: OrderResult, showsDeprecated: boolean): OrderResult {
  return showsDeprecated ? { ...result, value } : result
}
