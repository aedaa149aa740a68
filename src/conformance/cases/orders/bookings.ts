import { assertEqual, assertSameId, assertSuccess } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import { fieldOf } from '../../shape.ts'
import {
  book,
  bookAsync,
  bookConfirmed,
  bookOrder,
  minutes,
  needsBooking,
  needsTime,
  seconds,
  step,
} from './book.ts'

async function assertConfirmed(
  service: TestedService,
  after: number,
  changes: Record<string, unknown> = {},
) {
  const booked = await bookConfirmed(service, changes, after)
  assertEqual(fieldOf(booked, 'status'), 'confirmed', 'status')
}

/** The time until the confirmation arrives, and the window in which the service waits for it, in milliseconds. */
interface Times {
  after: number
  /** Default: not sent. */
  window?: number | null | undefined
}

async function assertStatus(service: TestedService, expected: string, { after, window }: Times) {
  const { status } = await bookAsync(
    service,
    { outcome: 'confirm', after },
    { sync_confirmation_timeout_millisecond: window },
  )
  const name =
    typeof window === 'number' ? `with a window of ${window} ms` : 'with the default window'
  assertEqual(
    status,
    expected,
    `the status ${name} when the confirmation arrives after ${after} ms`,
  )
}

export const bookingCases = defineCases(needsBooking, {
  '4.8/confirmed': {
    title: 'Waits for the confirmation of a booking and returns a confirmed appointment',
    rules: ['3.1/synchronous', '4.8/rule-1', '3.1/statuses', '4.8/path'],
    async run(service) {
      for (const after of [0, 1 * seconds, 3 * seconds, 12 * seconds]) {
        await assertConfirmed(service, after)
      }
    },
  },
  '4.8/synchronous-by-default': {
    title: 'Waits for the confirmation of a booking unless async_confirmation is true',
    rules: ['4.8/body', '4.8/rule-1', '4.8/rule-4'],
    async run(service) {
      for (const changes of [{}, { async_confirmation: false }]) {
        for (const window of [undefined, null, 1000, 10_000]) {
          const sent = { ...changes, sync_confirmation_timeout_millisecond: window }
          await assertConfirmed(service, 11 * seconds, sent)
        }
      }
    },
  },
  '4.8/no-limit-of-the-background': {
    title: 'Ignores async_confirmation_timeout_millisecond unless async_confirmation is true',
    rules: ['4.8/rule-4'],
    async run(service) {
      for (const async_confirmation of [undefined, false]) {
        for (const timeout of [60_000, 172_800_000, null]) {
          const changes = { async_confirmation, async_confirmation_timeout_millisecond: timeout }
          await assertConfirmed(service, 4 * seconds, changes)
        }
      }
    },
  },
  '7/failed': {
    title: 'Returns 500 when a synchronous booking fails, immediately or later',
    rules: ['7/booking', '4.8/rule-1'],
    async run(service) {
      for (const async_confirmation of [undefined, false]) {
        for (const after of [0, 1 * seconds, 3 * seconds, 20 * seconds]) {
          const ending = { outcome: 'fail', after } as const
          const { response } = await book(service, ending, { async_confirmation })
          assertEqual(response.status, 500, 'the status of a failed booking')
        }
      }
    },
  },
  '7/failed-with-timeouts': {
    title: 'Returns 500 when a synchronous booking fails, even if the request sets timeouts',
    rules: ['7/booking', '4.8/rule-4'],
    async run(service) {
      const changes = {
        async_confirmation: false,
        sync_confirmation_timeout_millisecond: 1000,
        async_confirmation_timeout_millisecond: 60_000,
      }
      const { response } = await book(service, { outcome: 'fail', after: 3 * seconds }, changes)
      assertEqual(response.status, 500, 'the status of a failed booking')
    },
  },
  '7/unconfirmed': {
    title: 'Returns 500 when a synchronous booking is never confirmed',
    rules: ['7/booking', '4.8/rule-1'],
    needs: needsTime,
    async run(service) {
      for (const changes of [
        {},
        { async_confirmation: false },
        { sync_confirmation_timeout_millisecond: 1000 },
      ]) {
        const { response } = await book(service, { outcome: 'never' }, changes)
        assertEqual(response.status, 500, 'the status of an unconfirmed booking')
      }
    },
  },
  '7/booked-after-a-failure': {
    title: 'Books an order whose first booking failed',
    rules: ['7/booking'],
    assumption: 'a failed booking leaves the order unchanged',
    async run(service) {
      const { params } = await book(service, { outcome: 'fail' })
      const response = await bookOrder(service, params.order_id, { outcome: 'confirm' })
      assertEqual(fieldOf(assertSuccess(response).json, 'status'), 'confirmed', 'status')
      assertSameId(fieldOf(response.json, 'order_id'), params.order_id, 'order_id')
    },
  },
  '3.1/confirmed-in-time': {
    title:
      'Returns a confirmed appointment when the confirmation arrives within sync_confirmation_timeout_millisecond',
    rules: ['3.1/in-window', '4.8/rule-2'],
    async run(service) {
      for (const window of [1000, 1500, 4000, 6000, 10_000]) {
        for (const after of [0, window / 2, window - step]) {
          await assertStatus(service, 'confirmed', { after, window })
        }
      }
    },
  },
  '3.1/pending-in-time': {
    title:
      'Returns a pending appointment when no confirmation arrives within sync_confirmation_timeout_millisecond',
    rules: ['3.1/pending', '4.8/rule-2', '3.1/statuses'],
    async run(service) {
      for (const window of [1000, 1500, 4000, 6000, 10_000]) {
        for (const after of [window + step, window * 2, 5 * minutes]) {
          await assertStatus(service, 'pending', { after, window })
        }
      }
    },
  },
  '3.1/pending-without-an-end': {
    title: 'Returns a pending appointment when no confirmation arrives at all',
    rules: ['3.1/pending', '4.8/rule-2'],
    async run(service) {
      for (const window of [undefined, 1000, 10_000]) {
        const changes = { sync_confirmation_timeout_millisecond: window }
        const { status } = await bookAsync(service, { outcome: 'never' }, changes)
        assertEqual(status, 'pending', 'status')
      }
    },
  },
  '8/sync-default': {
    title: 'Waits 2,500 milliseconds for the confirmation of an asynchronous booking by default',
    rules: ['8/sync-timeout', '4.8/body'],
    async run(service) {
      for (const window of [undefined, null]) {
        await assertStatus(service, 'confirmed', { after: 2500 - step, window })
        await assertStatus(service, 'pending', { after: 2500 + step, window })
      }
      await assertStatus(service, 'pending', { after: 2000, window: 1000 })
      const { status } = await bookAsync(
        service,
        { outcome: 'confirm', after: 2000 },
        {
          sync_confirmation_timeout_millisecond: 1000,
          async_confirmation_timeout_millisecond: 60_000,
        },
      )
      assertEqual(status, 'pending', 'the status with both timeouts')
      await assertStatus(service, 'confirmed', { after: 2 * seconds })
    },
  },
})
