import {
  appointmentNotesLength,
  bookPhlebotomyAppointment,
  confirmationTimeouts,
} from '../../contract/orders.ts'
import { assertRejected, assertSuccess, assertThat } from '../assertions.ts'
import { defineCases } from '../case.ts'
import type { Service } from '../service.ts'
import { fieldOf } from '../shape.ts'
import { book, needsBooking } from './book.ts'

const { sync, async } = confirmationTimeouts

async function assertBookingRejected(
  service: Service,
  changes: Record<string, unknown>,
  what: string,
) {
  assertRejected((await book(service, { outcome: 'confirm' }, changes)).response, what)
}

async function assertBookingAccepted(service: Service, changes: Record<string, unknown>) {
  return assertSuccess((await book(service, { outcome: 'confirm' }, changes)).response).json
}

export const bookingInputCases = defineCases({
  '8/sync-bounds': {
    title: 'Takes a sync timeout of 1,000 to 10,000 milliseconds',
    rules: ['8/sync-timeout', '4.8/body'],
    needs: needsBooking,
    async run(service) {
      const timeout = (value: unknown) => ({
        async_confirmation: true,
        sync_confirmation_timeout_millisecond: value,
      })
      for (const value of [sync.minimum - 1, sync.maximum + 1, 1500.5, 'long']) {
        await assertBookingRejected(service, timeout(value), 'a sync timeout out of bounds')
      }
      for (const value of [sync.minimum, sync.maximum, null]) {
        await assertBookingAccepted(service, timeout(value))
      }
    },
  },
  '8/async-bounds': {
    title: 'Takes an async timeout of 60,000 to 172,800,000 milliseconds',
    rules: ['8/async-timeout', '4.8/body'],
    needs: needsBooking,
    async run(service) {
      const timeout = (value: unknown) => ({
        async_confirmation: true,
        async_confirmation_timeout_millisecond: value,
      })
      for (const value of [async.minimum - 1, async.maximum + 1, 60_000.5, 'long']) {
        await assertBookingRejected(service, timeout(value), 'an async timeout out of bounds')
      }
      for (const value of [async.minimum, async.maximum, null]) {
        await assertBookingAccepted(service, timeout(value))
      }
    },
  },
  '8/notes': {
    title: 'Takes appointment_notes of at most 1,000 characters, and keeps them',
    rules: ['8/notes', '4.8/body', '2.6/notes'],
    needs: needsBooking,
    async run(service) {
      const notes = 'x'.repeat(appointmentNotesLength)
      const longer = { appointment_notes: `${notes}x` }
      await assertBookingRejected(service, longer, '1,001 characters of appointment_notes')
      const kept = fieldOf(
        await assertBookingAccepted(service, { appointment_notes: notes }),
        'appointment_notes',
      )
      assertThat(kept === notes, 'Expected appointment_notes to be those of the booking.')
      await assertBookingAccepted(service, { appointment_notes: null })
    },
  },
  '4.8/required': {
    title: 'Refuses a booking without booking_key, and other types',
    rules: ['4.8/body'],
    needs: needsBooking,
    async run(service) {
      await assertBookingRejected(
        service,
        { booking_key: undefined },
        'a booking without booking_key',
      )
      await assertBookingRejected(service, { booking_key: 7 }, 'a number for booking_key')
      await assertBookingRejected(
        service,
        { async_confirmation: 'soon' },
        'text for async_confirmation',
      )
      await assertBookingRejected(
        service,
        { appointment_notes: 7 },
        'a number for appointment_notes',
      )
    },
  },
  '4.8/uuid': {
    title: 'Refuses an order whose id is no UUID',
    rules: ['4.8/path'],
    readOnly: true,
    async run(service) {
      const request = { params: { order_id: 'not-a-uuid' }, body: { booking_key: 'none' } }
      assertRejected(
        await service.call(bookPhlebotomyAppointment, request),
        'an order_id that is no UUID',
      )
    },
  },
})
