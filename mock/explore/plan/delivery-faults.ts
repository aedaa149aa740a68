import { isObject } from '../../../src/shared/narrow.ts'
import type { EventBody } from '../../events/bodies.ts'
import type { SendAttempt, SendResult } from '../../events/delivery/deliveries.ts'
import { mapValues } from '../../shared/lists.ts'
import { retryDelays } from '../../state/defaults.ts'
import type { Team } from '../../team.ts'
import { type FaultFacts, nameFaults } from './plan.ts'
import { rewriteObjects, withExtremeNumbers } from './rewrite.ts'

/** A delivery attempt, and the actions available to a fault. */
export interface FaultyDelivery {
  team: Team
  /** The attempt number, starting at 1. */
  attempt: number
  body: EventBody
  /** Sends the event, optionally with a different body. */
  send: SendAttempt
  /** Sends the event together with the next one, so both handlers run concurrently. */
  sendWithNext(): void
  crash(): void
}

export interface DeliveryFault extends FaultFacts {
  /** The rank, starting at 1. Likely faults have low ranks and are tested first. */
  rank: number
  /** The event types that the fault applies to. Default: all. */
  types?: RegExp
  apply(delivery: FaultyDelivery): Promise<SendResult>
}

const lost: SendResult = { error: 'no_response' }

/** A value that no version of the specification defines. */
const unknownValue = 'not_yet_specified'

/** Returns whether an event type contains the unknown value. Only faults send such events. */
export function isUnspecified(type: string): boolean {
  return type.split('.').includes(unknownValue)
}

/**
 * The attempt at which a late event arrives. Three attempts remain, in case the receiver cannot handle the event yet.
 */
const lateAttempt = 5

/** The delivery faults. They assume at-least-once delivery in any order. The specification does not define delivery. */
export const deliveryFaults = nameFaults<DeliveryFault>({
  twice: {
    rank: 1,
    text: 'it is delivered twice in succession',
    apply: async ({ attempt, send }) => {
      if (attempt === 1) await send()
      return send()
    },
  },
  twice_at_once: {
    rank: 3,
    text: 'it is delivered twice at the same time',
    apply: async ({ attempt, send }) => {
      if (attempt > 1) return send()
      const isReady = createBarrier(2)
      const results = await Promise.all([1, 2].map(() => send(undefined, { isReady })))
      return results.find(isAcknowledged) ?? results[0] ?? lost
    },
  },
  overlaps_next: {
    rank: 3,
    text: 'your receiver handles it concurrently with the next event, and the response is lost, so it is delivered again',
    apply: firstAttempt(async ({ sendWithNext }) => {
      sendWithNext()
      return lost
    }),
  },
  lose_response: {
    rank: 2,
    text: 'your receiver handles it, and the response is lost, so it is delivered again after 5 s',
    apply: firstAttempt(async ({ send }) => {
      await send()
      return lost
    }),
  },
  first_fails: {
    rank: 2,
    text: 'the first attempt is lost, so it arrives after 5 s and after later events',
    apply: firstAttempt(async () => lost),
  },
  late: {
    rank: 2,
    text: 'it arrives after two and a half hours, after later events',
    apply: async ({ attempt, send }) => (attempt < lateAttempt ? lost : send()),
  },
  crash_after: {
    rank: 2,
    text: 'your program crashes just after handling it, so it is delivered again after 5 s',
    apply: firstAttempt(async ({ send, crash }) => {
      await send(undefined, { onResponse: crash })
      crash()
      return lost
    }),
  },
  crash_after_response: {
    rank: 2,
    text: 'your program crashes just after your receiver acknowledges it',
    apply: firstAttempt(async ({ send, crash }) => {
      let responded: SendResult | undefined
      const onResponse = (status: number) => {
        responded = { status }
        crash()
      }
      const result = await send(undefined, { onResponse })
      crash()
      return responded ?? result
    }),
  },
  crash_before: {
    rank: 4,
    text: 'your program crashes just before the first attempt, so a retry delivers it after 5 s',
    apply: firstAttempt(async ({ crash }) => {
      crash()
      return lost
    }),
  },
  unknown_values: {
    judgement: 'tolerance',
    rank: 3,
    text: 'its enumerations contain values that are not in the specification',
    apply: ({ body, send }) => send(withUnknownValues(body)),
  },
  unknown_event: {
    rank: 3,
    text: 'it is followed by an event of a type that is not in the specification',
    apply: async ({ team, attempt, send }) => {
      const unknown = `explore.${unknownValue}.created`
      if (attempt === 1) team.trigger(unknown, { data: {} }, { unknown: true })
      return send()
    },
  },
  unknown_kind: {
    isEnvironment: true,
    rank: 3,
    text: 'it is followed by an event of an unknown type that has its prefix and passes most type filters',
    apply: async ({ team, attempt, body, send }) => {
      const { event_type: type, user_id } = body
      const parts = String(type).split('.')
      const unknown = [...parts.slice(0, -1), unknownValue].join('.')
      if (attempt === 1)
        team.trigger(unknown, { user_id: String(user_id), data: {} }, { unknown: true })
      return send()
    },
  },
  extra_fields: {
    isEnvironment: true,
    judgement: 'tolerance',
    rank: 4,
    text: 'its objects contain fields that are not in the specification',
    apply: ({ body, send }) =>
      send({
        ...body,
        data: rewriteObjects(body['data'], (fields) => ({ ...fields, [unknownValue]: {} })),
      }),
  },
  nulls: {
    isEnvironment: true,
    judgement: 'tolerance',
    rank: 3,
    types: /\.data\./,
    text: 'the provider measured nothing: optional fields of the records are null',
    apply: ({ body, send }) => send(withoutMeasurements(body)),
  },
  extreme_values: {
    isEnvironment: true,
    judgement: 'tolerance',
    rank: 4,
    types: /\.(?:data|timeseries)\./,
    text: 'numbers in its records are zero, negative or very large, or have many decimal places',
    apply: ({ body, send }) =>
      send({
        ...body,
        data: rewriteObjects(body['data'], (fields) => withExtremeNumbers(fields, identifying)),
      }),
  },
  empty: {
    isEnvironment: true,
    judgement: 'tolerance',
    rank: 3,
    types: /\.(?:data|timeseries)\./,
    text: 'it has no records',
    apply: ({ body, send }) => {
      const { data } = body
      const isList = isObject(data) && Array.isArray(data['data'])
      return send(isList ? { ...body, data: { ...data, data: [] } } : body)
    },
  },
  reconnects: {
    isEnvironment: true,
    rank: 3,
    types: /^(?:provider\.connection|daily|historical)\./,
    text: 'the user disconnects and reconnects a provider just before it arrives',
    apply: async ({ team, attempt, body, send }) => {
      const connections = team.connections.list()
      const last = connections.findLast(({ user_id }) => user_id === body['user_id'])
      if (attempt === 1 && last) {
        const { user_id, provider } = last
        team.connections.delete(user_id, provider)
        team.connections.create({ user_id, provider })
      }
      return send()
    },
  },
  lose_responses: {
    isEnvironment: true,
    rank: 4,
    text: 'your receiver handles each attempt, but every response is lost until the last attempt 27 hours later',
    apply: async ({ attempt, send }) => {
      const result = await send()
      return attempt <= retryDelays.length ? lost : result
    },
  },
})

/** The fields that the `nulls` and `extreme_values` faults leave unchanged. */
const identifying =
  /^(?:id|user_id|date|calendar_date|source|version|state|timezone.*|time_zone|type|unit|timestamp|.*_at|.*_(?:start|stop|end))$/

function withoutMeasurements(body: EventBody): EventBody {
  const { data } = body
  if (!isObject(data) || !Array.isArray(data['data'])) return body
  const records = data['data'].map((record: unknown) =>
    isObject(record)
      ? mapValues(record, (value, name) => (identifying.test(name) ? value : null))
      : record,
  )
  return { ...body, data: { ...data, data: records } }
}

export function isAcknowledged({ status = 0 }: SendResult): boolean {
  return status >= 200 && status < 300
}

function firstAttempt(apply: DeliveryFault['apply']): DeliveryFault['apply'] {
  return (delivery) => (delivery.attempt === 1 ? apply(delivery) : delivery.send())
}

/** Returns a function whose promises resolve once it has been called the given number of times. */
function createBarrier(calls: number): () => Promise<void> {
  let waiting = calls
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    waiting -= 1
    if (waiting === 0) open()
    return opened
  }
}

/** The event fields whose enumerations can gain values (specification part 9). */
const openFields = ['status', 'event_status', 'type', 'state']

function withUnknownValues(body: EventBody): EventBody {
  return { ...body, data: replaceIn(body['data']) }
}

function replaceIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(replaceIn)
  if (!isObject(value)) return value
  return mapValues(value, (inner, name) =>
    typeof inner === 'string' && openFields.includes(name) ? unknownValue : replaceIn(inner),
  )
}
