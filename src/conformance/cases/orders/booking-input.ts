import { assertRejected, assertSuccess, assertThat } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import { bookPhlebotomyAppointment } from '../../operations.ts'
import type { TestedService } from '../../service.ts'
import { fieldOf } from '../../shape.ts'
import { book, needsBooking } from './book.ts'

async function assertBookingRejected(
  service: TestedService,
  changes: Record<string, unknown>,
  input: string,
) {
  assertRejected((await book(service, { outcome: 'confirm' }, changes)).response, input)
}

async function assertBookingAccepted(service: TestedService, changes: Record<string, unknown>) {
  return assertSuccess((await book(service, { outcome: 'confirm' }, changes)).response).json
}

/** The bounds of part 8, in milliseconds. */
const timeoutBounds = {
  sync: { minimum: 1000, maximum: 10_000 },
  async: { minimum: 60_000, maximum: 172_800_000 },
}

/** Returns the case that checks the smallest and largest value of a confirmation timeout. */
function timeoutBoundsCase(mode: keyof typeof timeoutBounds) {
  const { minimum, maximum } = timeoutBounds[mode]
  const bounds = `${minimum.toLocaleString('en')} to ${maximum.toLocaleString('en')} milliseconds`
  const timeout = (value: unknown) => ({
    async_confirmation: true,
    [`${mode}_confirmation_timeout_millisecond`]: value,
  })
  return {
    title: `Accepts ${mode}_confirmation_timeout_millisecond of ${bounds}`,
    rules: [`8/${mode}-timeout`, '4.8/body'],
    needs: needsBooking,
    async run(service: TestedService) {
      for (const value of [minimum - 1, maximum + 1, minimum + 0.5, 'long']) {
        await assertBookingRejected(service, timeout(value), `a ${mode} timeout out of bounds`)
      }
      for (const value of [minimum, maximum, null]) {
        await assertBookingAccepted(service, timeout(value))
      }
    },
  }
}

export const bookingInputCases = defineCases({
  '8/sync-bounds': timeoutBoundsCase('sync'),
  '8/async-bounds': timeoutBoundsCase('async'),
  '8/notes': {
    title: 'Stores appointment_notes of at most 1,000 characters',
    rules: ['8/notes', '4.8/body', '2.6/notes'],
    needs: needsBooking,
    async run(service) {
      const notes = 'x'.repeat(1000)
      const longer = { appointment_notes: `${notes}x` }
      await assertBookingRejected(service, longer, '1,001 characters of appointment_notes')
      const kept = fieldOf(
        await assertBookingAccepted(service, { appointment_notes: notes }),
        'appointment_notes',
      )
      assertThat(kept === notes, 'Expected the appointment_notes of the booking.')
      await assertBookingAccepted(service, { appointment_notes: null })
    },
  },
  '4.8/required': {
    title: 'Rejects a booking with a missing booking_key or wrong types',
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
        'a string for async_confirmation',
      )
      await assertBookingRejected(
        service,
        { appointment_notes: 7 },
        'a number for appointment_notes',
      )
    },
  },
  '4.8/uuid': {
    title: 'Rejects an order whose id is not a UUID',
    rules: ['4.8/path'],
    readOnly: true,
    async run(service) {
      const request = { params: { order_id: 'not-a-uuid' }, body: { booking_key: 'none' } }
      assertRejected(
        await service.call(bookPhlebotomyAppointment, request),
        'an order_id that is not a UUID',
      )
    },
  },
})
