import * as z from 'zod/mini'
import type { Order, OrderedLabTest, OrderResult, OrderStep } from '../../../src/contract/orders.ts'
import { ownValue } from '../../../src/shared/narrow.ts'
import { makePatient, postalAddress } from '../../reference-data/people.ts'
import { Random } from '../../reference-data/random.ts'
import { checkOptions } from '../check-options.ts'
import { dateTime, momentOfText, versionTime } from '../clock/time.ts'
import { teamId } from '../identity.ts'
import type { RecordPort } from '../ports.ts'
import type { LabOrder, LabOrderInput } from '../records/orders.ts'
import type { User } from '../records/users.ts'
import { Collection, type CollectionHooks } from './collection.ts'
import { orderResults } from './order-results.ts'
import { requisitionUrl } from './requisition-url.ts'

/** Options for `orders.complete`. */
export interface CompletionOptions {
  /** Whether to make one result critical (far outside the reference range). Default: false. */
  critical?: boolean
}

const completionSchema = z.strictObject({ critical: z.optional(z.boolean()) })

/** A team's lab orders (specification 4.12). */
export class Orders extends Collection<LabOrder, LabOrderInput> {
  readonly #team: RecordPort

  constructor(team: RecordPort, hooks: CollectionHooks) {
    super({ ...hooks, name: 'orders', make: (input) => makeOrder(input, team) })
    this.#team = team
  }

  /**
   * Updates fields of an order. By default, `updated_at` becomes later, and a change to a different known status adds a
   * step to `events`.
   *
   * @throws {MockError} `unknown_record` if no order has this id.
   */
  override update(id: string, changes: Partial<LabOrder>): LabOrder {
    this.check('update', changes)
    const order = this.get(id)
    if (!order) return this.replace([id], changes)
    const { status = order.status } = changes
    const { moment } = this.#team.clock
    const updated_at = dateTime(versionTime(moment, momentOfText(order.updated_at)))
    const steps = status === order.status ? [] : stepsOf({ ...order, status }, dateTime(moment))
    return this.replace([id], { updated_at, events: [...order.events, ...steps], ...changes })
  }

  /**
   * Adds the step for the requisition form to an order.
   *
   * @throws {MockError} `unknown_record` if no order has this id.
   */
  addRequisition(id: string): LabOrder {
    const order = this.get(id)
    if (!order) return this.update(id, {})
    const step = stepOf(order, 'requisition_created', dateTime(this.#team.clock.moment))
    return this.update(id, { events: [...order.events, step] })
  }

  /**
   * Completes an order with all expected results of its markers. The results fit the user's data and each other. By
   * default, none is critical. A critical result also triggers `labtest.result.critical`.
   *
   * @param id The order's id.
   * @throws {MockError} `unknown_record` if no order has this id; `invalid_option` for an unknown option or invalid
   * value; `invalid_state` if `critical` is set and no ordered marker has critical limits.
   */
  complete(id: string, options: CompletionOptions = {}): LabOrder {
    checkOptions(completionSchema, options, 'options')
    const { critical = false } = options
    const order = this.get(id)
    if (!order) return this.update(id, {})
    const results = orderResults(order, critical, this.#team)
    return this.update(id, { status: 'completed', results })
  }
}

function makeOrder(
  input: LabOrderInput,
  { random, users, catalogue, clock }: RecordPort,
): LabOrder {
  const id = input.id ?? random.uuid()
  const now = dateTime(clock.moment)
  const user_id = input.user_id ?? users.create().user_id
  const method = 'at_home_phlebotomy'
  const [labTest] = catalogue.labTests.list({ method })
  const { order_set = { lab_test_ids: labTest ? [labTest.id] : [], add_on: null } } = input
  const ordered = catalogue.labTests.get(order_set.lab_test_ids?.[0] ?? '')
  const { collection_method = ordered?.method ?? method, status = 'received' } = input
  return {
    id,
    user_id,
    order_set,
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

function patientOf(user: User | undefined): LabOrder['patient_details'] | undefined {
  if (!user?.info) return undefined
  const { first_name, last_name, dob, gender, phone_number, email } = user.info
  return { first_name, last_name, dob, gender, phone_number, email }
}

export function wireOrder(order: LabOrder, team: RecordPort): Order {
  const { id, user_id, order_set, collection_method, status } = order
  const { created_at, updated_at, has_abn = false } = order
  const showsDeprecated = team.settings.deprecatedFields !== 'never'
  const events = wireSteps(order)
  return {
    id,
    team_id: teamId(team),
    user_id,
    order_set,
    lab_test: orderedTest(order, team),
    collection_method,
    details: { type: collection_method, data: null },
    has_abn,
    status,
    events,
    last_event: events.at(-1) ?? null,
    created_at,
    updated_at,
    results: order.results?.map((result) => wireResult(result, showsDeprecated)) ?? null,
    ...(showsDeprecated ? { requisition_form_url: requisitionUrl(order, team) } : {}),
  }
}

/** Returns an order's steps with ids that are unlikely to occur in other orders. */
function wireSteps({ id, events }: LabOrder): OrderStep[] {
  const first = new Random(id).integer(1, 1_000_000) * 1000
  return events.map((step, at) => ({ id: first + at, ...step }))
}

function orderedTest({ order_set }: LabOrder, { catalogue }: RecordPort): OrderedLabTest | null {
  const [first] = order_set.lab_test_ids ?? []
  const labTest = first === undefined ? undefined : catalogue.labTests.get(first)
  if (!labTest) return null
  const { id, slug, name, description, method, sample_type = null } = labTest
  return { id, slug, name, description, method, sample_type }
}

function wireResult({ value, ...result }: OrderResult, showsDeprecated: boolean): OrderResult {
  return showsDeprecated ? { ...result, value } : result
}

/** The last part of the low-level status, for each order status (assumption). */
const lastWords: Readonly<Record<string, string>> = {
  received: 'ordered',
  collecting_sample: 'appointment_scheduled',
  completed: 'completed',
  cancelled: 'cancelled',
}

type OrderState = Pick<LabOrder, 'status' | 'collection_method'>

/** Returns the step for an order's status, or none for an unknown status. */
function stepsOf(order: OrderState, created_at: string): OrderStep[] {
  const lastWord = ownValue(lastWords, order.status)
  return lastWord === undefined ? [] : [stepOf(order, lastWord, created_at)]
}

function stepOf(
  { status, collection_method }: OrderState,
  lastWord: string,
  created_at: string,
): OrderStep {
  return { status: `${status}.${collection_method}.${lastWord}`, created_at }
}
