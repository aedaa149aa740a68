import * as z from 'zod/mini'
import type { OrderSet } from '../../../src/contract/lab-tests.ts'
import type { Order, OrderInput, OrderResult, OrderStep } from '../../../src/contract/orders.ts'
import { makePatient, postalAddress } from '../../data/people.ts'
import { checkOptions } from '../check-options.ts'
import { dateTime } from '../clock/time.ts'
import { type Change, Collection } from '../collection.ts'
import type { Settings } from '../defaults.ts'
import type { Catalogue } from './lab-tests.ts'
import { orderResults, type ResultsContext } from './order-results.ts'
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
  /** The patient; by default, the user. */
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

/** How an order is completed. */
export interface CompletionOptions {
  /** Whether one of the results is critical, far outside of the reference range. Default: false. */
  critical?: boolean
}

const completionSchema = z.strictObject({ critical: z.optional(z.boolean()) })

interface OrdersContext extends RecordContext, Pick<ResultsContext, 'data'> {
  readonly users: { create(): User; get(userId: string): User | undefined }
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
    this.check('update', changes)
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
   * Completes an order with a result for each result that its markers are expected to give. They are coherent with the
   * user and with each other, and none is critical by default. A critical one sends `labtest.result.critical` too.
   *
   * @param id The id of the order.
   * @throws {MockError} `unknown_record` if no order has this id; `invalid_option` for an unknown option or an invalid value;
   * `invalid_state` if `critical` is set and no ordered marker has critical values.
   */
  complete(id: string, options: CompletionOptions = {}): LabOrder {
    checkOptions(completionSchema, options, 'options')
    const { critical = false } = options
    const order = this.get(id)
    if (!order) return this.update(id, {})
    const results = orderResults(order, critical, this.#context)
    const updated_at = dateTime(this.#context.clock.moment)
    return this.update(id, { status: 'completed', results, updated_at })
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
    patient_details: patientOf(users.get(user_id)) ?? makePatient(random.fork(`order/${id}`)),
    patient_address: postalAddress(random.fork(`order/${id}/address`)),
    results: null,
    appointment_id: null,
    created_at: now,
    updated_at: now,
    ...input,
  }
}

/** Returns the person of a user as the patient of an order. */
function patientOf(user: User | undefined): LabOrder['patient_details'] | undefined {
  if (!user?.info) return undefined
  const { first_name, last_name, dob, gender, phone_number, email } = user.info
  return { first_name, last_name, dob, gender, phone_number, email }
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
