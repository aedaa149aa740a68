import { assertEqual, assertSameId, assertSuccess } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import type { BookingScenario } from '../../setup.ts'
import { fieldOf } from '../../shape.ts'
import { book, bookOrder, needsBooking, needsTime, seconds } from './book.ts'

async function assertConfirmed(
  service: TestedService,
  ending: BookingScenario,
  changes: Record<string, unknown> = {},
) {
  const { response } = await book(service, ending, changes)
  assertEqual(fieldOf(assertSuccess(response).json, 'status'), 'confirmed', 'status')
}

export const bookingCases = defineCases({
  '4.8/confirmed': {
    title: 'Returns a confirmed appointment after waiting for the confirmation',
    rules: ['3.1/synchronous', '4.8/rule-1', '3.1/statuses', '4.8/path'],
    needs: needsBooking,
    async run(service) {
      for (const after of [0, 1 * seconds, 3 * seconds, 12 * seconds]) {
        await assertConfirmed(service, { outcome: 'confirm', after })
      }
    },
  },
  '4.8/synchronous-by-default': {
    title: 'Waits for the confirmation unless async_confirmation is true',
    rules: ['4.8/body', '4.8/rule-1', '4.8/rule-4'],
    needs: needsBooking,
    async run(service) {
      for (const changes of [{}, { async_confirmation: false }]) {
        for (const window of [undefined, null, 1000, 10_000]) {
          await assertConfirmed(
            service,
            { outcome: 'confirm', after: 11 * seconds },
            { ...changes, sync_confirmation_timeout_millisecond: window },
          )
        }
      }
    },
  },
  '4.8/no-limit-of-the-background': {
    title: 'Ignores async_confirmation_timeout_millisecond unless async_confirmation is true',
    rules: ['4.8/rule-4'],
    needs: needsBooking,
    async run(service) {
      for (const async_confirmation of [undefined, false]) {
        for (const timeout of [60_000, 172_800_000, null]) {
          const changes = {
            async_confirmation,
            async_confirmation_timeout_millisecond: timeout,
          }
          await assertConfirmed(service, { outcome: 'confirm', after: 4 * seconds }, changes)
        }
      }
    },
  },
  '7/failed': {
    title: 'Returns 500 when a synchronous booking fails, at once or later',
    rules: ['7/booking', '4.8/rule-1'],
    needs: needsBooking,
    async run(service) {
      for (const async_confirmation of [undefined, false]) {
        for (const after of [0, 1 * seconds, 3 * seconds, 20 * seconds]) {
          const { response } = await book(
            service,
            { outcome: 'fail', after },
            { async_confirmation },
          )
          assertEqual(response.status, 500, 'the status of a failed booking')
        }
      }
    },
  },
  '7/failed-with-timeouts': {
    title: 'Returns 500 when a synchronous booking with timeouts fails',
    rules: ['7/booking', '4.8/rule-4'],
    needs: needsBooking,
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
    title: 'Returns 500 when no confirmation comes',
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
    title: 'Books an order after its booking failed',
    rules: ['7/booking'],
    needs: needsBooking,
    assumption: 'a failed booking leaves the order as it was',
    async run(service) {
      const { params } = await book(service, { outcome: 'fail' })
      const response = await bookOrder(service, params.order_id, { outcome: 'confirm' })
      assertEqual(fieldOf(assertSuccess(response).json, 'status'), 'confirmed', 'status')
      assertSameId(fieldOf(response.json, 'order_id'), params.order_id, 'order_id')
    },
  },
})
