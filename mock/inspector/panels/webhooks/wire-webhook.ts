import type {
  DeadLetter,
  DeliveryExchange,
  PlannedDelivery,
} from '../../../events/delivery/deliveries.ts'
import type { Wire } from '../../wire.ts'

/** A webhook in a response of the control API. */
export interface WireWebhook {
  id: string
  url: string | null
  secret: string
  types: string[]
  pending: number
  isDisabled: boolean
}

/** An attempt with its request and response. */
export type WireExchange = Omit<Wire<DeliveryExchange>, 'request' | 'response'> &
  Pick<DeliveryExchange, 'request' | 'response'>

/** A planned attempt. */
export type WirePlanned = Wire<PlannedDelivery>

/** A message whose last attempt failed. */
export type WireDeadLetter = DeadLetter
