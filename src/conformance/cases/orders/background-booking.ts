import { assertEqual } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import {
  bookAsync,
  getStatus,
  minutes,
  needsBooking,
  needsTime,
  oneAppointment,
  seconds,
} from './book.ts'

/** Milliseconds until the confirmation, and the window in which the service waits for it. */
interface Times {
  after: number
  /** Default: none is sent. */
  window?: number | null
}

/** Asserts the status that a booking returns when its confirmation comes after some time. */
async function assertStatus(service: TestedService, expected: string, { after, window }: Times) {
  const { status } = await bookAsync(
    service,
    { outcome: 'confirm', after },
    { sync_confirmation_timeout_millisecond: window },
  )
  const name = window === undefined ? 'by default' : `with a window of ${window} ms`
  assertEqual(status, expected, `status ${name} when the confirmation comes after ${after} ms`)
}

export const backgroundBookingCases = defineCases({
  '3.1/confirmed-in-time': {
    title: 'Returns a confirmed appointment when the confirmation comes within the window',
    rules: ['3.1/in-window', '4.8/rule-2'],
    needs: needsBooking,
    run: (service) =>
      assertStatus(service, 'confirmed', { after: 4 * seconds, window: 6 * seconds }),
  },
  '3.1/pending-in-time': {
    title: 'Returns a pending appointment when no confirmation comes within the window',
    rules: ['3.1/pending', '4.8/rule-2', '3.1/statuses'],
    needs: needsBooking,
    run: (service) => assertStatus(service, 'pending', { after: 5 * seconds, window: 3 * seconds }),
  },
  '8/sync-default': {
    title: 'Waits 2,500 milliseconds by default',
    rules: ['8/sync-timeout', '4.8/body'],
    needs: needsBooking,
    async run(service) {
      await assertStatus(service, 'confirmed', { after: 2 * seconds })
      await assertStatus(service, 'pending', { after: 3 * seconds })
      await assertStatus(service, 'pending', { after: 3 * seconds, window: null })
    },
  },
  '3.1/background': {
    title: 'Continues the booking in the background and confirms the pending appointment',
    rules: ['3.1/pending', '4.8/rule-2'],
    needs: needsTime,
    assumption: oneAppointment,
    async run(service) {
      const { params, status } = await bookAsync(service, {
        outcome: 'confirm',
        after: 5 * minutes,
      })
      assertEqual(status, 'pending', 'status')
      await service.advance(6 * minutes)
      assertEqual(await getStatus(service, params), 'confirmed', 'status after the confirmation')
    },
  },
  '3.1/cancelled': {
    title: 'Cancels a pending appointment that is not confirmed in time',
    rules: ['3.1/cancelled', '4.8/rule-3'],
    needs: needsTime,
    assumption: oneAppointment,
    async run(service) {
      const within = { async_confirmation_timeout_millisecond: 2 * minutes }
      const { params } = await bookAsync(service, { outcome: 'never' }, within)
      await service.advance(1 * minutes)
      assertEqual(await getStatus(service, params), 'pending', 'status after 1 minute')
      await service.advance(1 * minutes + 5 * seconds)
      assertEqual(await getStatus(service, params), 'cancelled', 'status after 2 minutes')
    },
  },
  '3.1/abandoned': {
    title: 'Ignores a confirmation that comes after the booking was cancelled',
    rules: ['4.8/rule-3', '3.1/cancelled'],
    needs: needsTime,
    assumption: oneAppointment,
    async run(service) {
      const within = { async_confirmation_timeout_millisecond: 1 * minutes }
      const { params } = await bookAsync(
        service,
        { outcome: 'confirm', after: 2 * minutes },
        within,
      )
      await service.advance(3 * minutes)
      assertEqual(await getStatus(service, params), 'cancelled', 'status')
    },
  },
  '8/async-default': {
    title: 'Cancels a pending appointment after 15 minutes by default',
    rules: ['8/async-timeout', '4.8/body'],
    needs: needsTime,
    assumption: oneAppointment,
    async run(service) {
      const { params } = await bookAsync(service, { outcome: 'never' })
      await service.advance(14 * minutes)
      assertEqual(await getStatus(service, params), 'pending', 'status after 14 minutes')
      await service.advance(1 * minutes + 5 * seconds)
      assertEqual(await getStatus(service, params), 'cancelled', 'status after 15 minutes')
    },
  },
})
