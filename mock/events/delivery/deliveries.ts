import type { EventBody } from '../bodies.ts'

/** An attempt to deliver an event. */
export interface Delivery {
  /** The event's number in the outbox. */
  readonly number: number
  /** The `webhook-id`, which is the same for all attempts. */
  readonly id: string
  /** The event type, such as `daily.data.sleep.created`. */
  readonly event_type: string
  /** The attempt number, starting at 1. */
  readonly attempt: number
  /** Whether this is the second delivery of a duplicated message. Second deliveries are never retried. */
  readonly isDuplicate: boolean
  /** Whether the signature is deliberately invalid. */
  readonly hasInvalidSignature: boolean
  /** Whether the timestamp is deliberately ten minutes old. */
  readonly isOld: boolean
  /** The virtual time of the attempt. */
  readonly at: Date
  /** `delivered` after a 2xx response, otherwise `failed`. */
  readonly outcome: 'delivered' | 'failed'
  /** The response status, or undefined if no response arrived. */
  readonly status: number | undefined
  /**
   * Why no response arrived: `timeout` if it was late or lost, `threw` if the handler threw, otherwise `no_response`.
   */
  readonly error: 'no_response' | 'timeout' | 'threw' | undefined
}

/** An attempt's request and response. */
export interface Exchange {
  /** The real time that the exchange took, in milliseconds. */
  readonly duration: number
  /** The request as sent. */
  readonly request: {
    /** The headers, by lower-case name. */
    readonly headers: Readonly<Record<string, string>>
    /** The body as sent. */
    readonly body: EventBody
  }
  /** The receiver's response, or undefined if there was none. */
  readonly response:
    | {
        /** The response status, such as 200. */
        readonly status: number
        /** The headers, by lower-case name. */
        readonly headers: Readonly<Record<string, string>>
        /** The first 4,096 characters of the body. Empty for a handler, whose response body is not read. */
        readonly body: string
      }
    | undefined
}

/** An attempt with its request and response. */
export interface DeliveryExchange extends Delivery, Exchange {}

/** A planned delivery attempt, such as a retry or a redelivery. */
export interface PlannedDelivery
  extends Pick<Delivery, 'number' | 'attempt' | 'isDuplicate' | 'at'> {
  /** The `webhook-id`, or undefined if the event was dropped. */
  readonly id: string | undefined
  /** The event type, or undefined if the event was dropped. */
  readonly event_type: string | undefined
}

/** A message whose final delivery attempt failed. */
export interface DeadLetter {
  /** The event's number in the outbox. */
  readonly number: number
  /** The `webhook-id`. */
  readonly id: string
  /** The event type, such as `daily.data.sleep.created`. */
  readonly event_type: string
  /** The event's body. */
  readonly body: EventBody
}

export interface DueDelivery extends Pick<Delivery, 'number' | 'id' | 'event_type' | 'attempt'> {
  readonly webhook: string
  readonly body: EventBody
}

export type SendResult = Partial<Pick<Delivery, 'status' | 'error'>> & {
  exchange?: Exchange
}

export interface SendHooks {
  /** Called after the message is signed. The message is sent once the returned promise resolves. */
  isReady?: () => Promise<void>
  onResponse?: (status: number) => void
}

/** Makes a delivery attempt, by default with the event's body. */
export type SendAttempt = (body?: EventBody, hooks?: SendHooks) => Promise<SendResult>

/** Decides how many times an attempt's message is sent, and with which body. Default: once, with the event's body. */
export type DeliveryInterceptor = (delivery: DueDelivery, send: SendAttempt) => Promise<SendResult>

/** Receives a delivery as a `Request` and returns the receiver's `Response`. */
export type DeliveryTarget = (request: Request) => Response | Promise<Response>
