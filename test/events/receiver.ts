import { expectTypeOf } from 'vitest'
import {
  type DailyDataEvent,
  type EventHandlerOptions,
  eventHandler,
  type ServiceEvent,
} from '../../src/events/index.ts'
import { secret } from '../support/signed.ts'

export const user_id = '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55'

export const sleep = { event_type: 'daily.data.sleep.created', user_id, data: { data: [] } }

/** A handler that writes down what it does. */
export function receiver(options: Partial<EventHandlerOptions> = {}) {
  const handled: string[] = []
  const errors: unknown[] = []
  const receive = eventHandler({
    secrets: secret,
    on: {
      'daily.data.sleep.created': (event, { id }) => {
        expectTypeOf(event).toExtend<DailyDataEvent<'sleep'>>()
        handled.push(`sleep ${id}`)
      },
    },
    fallback: (event: ServiceEvent, { id }) => {
      handled.push(`${event.event_type} ${id}`)
    },
    onError: (error) => errors.push(error),
    ...options,
  })
  return { receive, handled, errors }
}
