import { describeExpectedValue } from '../../../contract/schema-tools/describe-value.ts'
import { assertEqual, assertRejected, assertSameData, assertSuccess } from '../../assertions.ts'
import { invalidUuids, unknownId } from '../../bodies/invalid-bodies.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import { fieldOf } from '../../shape.ts'
import {
  assertBookingRejected,
  assertNotesKept,
  book,
  bookConfirmed,
  bookOrder,
  confirm,
  needsBooking,
  readAppointment,
} from './book.ts'

async function assertTimeouts(
  service: TestedService,
  field: string,
  bounds: { rejected: readonly unknown[]; accepted: readonly unknown[] },
) {
  for (const value of bounds.rejected) {
    const changes = { async_confirmation: true, [field]: value }
    await assertBookingRejected(service, changes, `${describeExpectedValue(value)} for ${field}`)
  }
  for (const value of bounds.accepted) {
    const changes = { async_confirmation: true, [field]: value }
    const found = await bookConfirmed(service, changes)
    assertEqual(fieldOf(found, 'status'), 'confirmed', `the status with ${value} for ${field}`)
  }
}

async function assertNotesRejected(service: TestedService, notes: readonly string[]) {
  for (const appointment_notes of notes) {
    const input = 'appointment_notes of more than 1,000 characters'
    await assertBookingRejected(service, { appointment_notes }, input)
  }
}

/** Appointment notes of at most 1,000 characters. Some exceed this limit in bytes or after escaping. */
const longNotes = ['é'.repeat(1000), '<&>"\''.repeat(200), 'a\n'.repeat(500), ' b'.repeat(500)]
const emojiNotes = ['🐕'.repeat(1000), '👩‍🔬'.repeat(333)]
const tooLong = [
  `${' '.repeat(20)}${'x'.repeat(981)}`,
  `${'x'.repeat(981)}${' '.repeat(20)}`,
  `${'x'.repeat(500)}${' '.repeat(501)}y`,
  `${'x\n'.repeat(500)}y`,
  'é'.repeat(1001),
]

const noIntegers = ['2000', 'long', true, [2000], {}, 90_000.5, 0, -1]

export const bookingInputCases = defineCases(needsBooking, {
  '8/sync-bounds': {
    title:
      'Accepts only integers from 1,000 to 10,000 or null for sync_confirmation_timeout_millisecond',
    rules: ['8/sync-timeout', '4.8/body'],
    run: (service) =>
      assertTimeouts(service, 'sync_confirmation_timeout_millisecond', {
        rejected: [999, 10_001, 5000.5, 60_000, 100, ...noIntegers],
        accepted: [1000, 1001, 2500, 9999, 10_000, null],
      }),
  },
  '8/async-bounds': {
    title:
      'Accepts only integers from 60,000 to 172,800,000 or null for async_confirmation_timeout_millisecond',
    rules: ['8/async-timeout', '4.8/body'],
    run: (service) =>
      assertTimeouts(service, 'async_confirmation_timeout_millisecond', {
        rejected: [59_999, 172_800_001, 10_000, 1_000_000_000, ...noIntegers],
        accepted: [60_000, 60_001, 900_000, 172_799_999, 172_800_000, null],
      }),
  },
  '8/notes': {
    title: 'Accepts appointment_notes of at most 1,000 characters, and rejects longer ones',
    rules: ['8/notes', '4.8/body', '2.6/notes'],
    async run(service) {
      await assertNotesRejected(service, ['x'.repeat(1001), 'x'.repeat(1500)])
      const text = 'Knock, wait. '.repeat(80)
      await assertNotesKept(service, [`${text.slice(0, 998)}.`, `${text.slice(0, 999)}.`])
    },
  },
  '8/notes-of-pending': {
    title: 'Checks the length of appointment_notes even if async_confirmation is true',
    rules: ['8/notes', '4.8/body', '2.6/notes'],
    async run(service) {
      const changes = { async_confirmation: true, appointment_notes: 'y'.repeat(1001) }
      const { response } = await book(service, { outcome: 'never' }, changes)
      assertRejected(response, 'appointment_notes of 1,001 characters')
      const appointment_notes = 'y'.repeat(1000)
      const kept = await book(service, { outcome: 'never' }, { ...changes, appointment_notes })
      const { json } = assertSuccess(kept.response)
      assertEqual(fieldOf(json, 'appointment_notes'), appointment_notes, 'appointment_notes')
    },
  },
  '8/notes-of-characters': {
    title: 'Counts characters, not bytes, in appointment_notes, including spaces at both ends',
    rules: ['8/notes', '2.6/notes'],
    async run(service) {
      await assertNotesKept(service, longNotes)
      await assertNotesRejected(service, tooLong)
    },
  },
  '8/notes-of-emoji': {
    title: 'Counts an emoji in appointment_notes by its code points, not its UTF-16 code units',
    rules: ['8/notes', '2.6/notes'],
    assumption: 'a character of appointment_notes is a Unicode code point, as in JSON Schema',
    async run(service) {
      await assertNotesKept(service, emojiNotes)
      await assertNotesRejected(service, ['🐕'.repeat(1001), '👩‍🔬'.repeat(334)])
    },
  },
  '4.8/letters': {
    title: 'Returns appointment_notes unchanged, including letter case and spaces',
    rules: ['4.8/body', '2.6/notes'],
    run: (service) => assertNotesKept(service, ['  “Öko”  №5 ﬁ – e\u0301 é 犬 🐕‍🦺 McD ']),
  },
  '4.8/notes-unchanged': {
    title: 'Returns line breaks and special characters in appointment_notes unchanged',
    rules: ['4.8/body', '2.6/notes'],
    async run(service) {
      await assertNotesKept(service, [
        'Ring twice.\nGate code 12',
        '  indented, with a space at the end ',
        'Für Ada — étage 2 ☎',
        'Ada\'s <dog> & "cat" \\ 100 %',
      ])
    },
  },
  '4.8/required': {
    title: 'Rejects a booking whose booking_key is missing or whose fields have wrong types',
    rules: ['4.8/body'],
    async run(service) {
      for (const booking_key of [undefined, null, 7, true, {}, ['key']]) {
        const input =
          booking_key === undefined
            ? 'a body without booking_key'
            : `${describeExpectedValue(booking_key)} for booking_key`
        await assertBookingRejected(service, { booking_key }, input)
      }
      for (const async_confirmation of ['soon', 7, {}, [true]]) {
        const changes = { async_confirmation }
        await assertBookingRejected(service, changes, 'a wrong type for async_confirmation')
      }
      for (const appointment_notes of [7, true, {}, ['Ring']]) {
        const changes = { appointment_notes }
        await assertBookingRejected(service, changes, 'a wrong type for appointment_notes')
      }
    },
  },
  '4.8/no-body': {
    title: 'Rejects a booking without a body, or with a body that is not an object',
    rules: ['4.8/body'],
    async run(service) {
      const params = { order_id: await service.setup.order() }
      const booking_key = await service.setup.bookingKey(confirm)
      for (const body of [undefined, [], [{ booking_key }], JSON.stringify(booking_key), '{']) {
        await service.reject(
          'orders.bookPhlebotomyAppointment',
          { params, body },
          'a body that is not an object',
        )
      }
    },
  },
  '4.8/key-in-body': {
    title: 'Rejects a booking whose booking_key is in the query instead of the body',
    rules: ['4.8/body'],
    async run(service) {
      const params = { order_id: await service.setup.order() }
      const query = { booking_key: await service.setup.bookingKey(confirm) }
      const request = { params, query, body: {} }
      await service.reject(
        'orders.bookPhlebotomyAppointment',
        request,
        'a booking_key in the query',
      )
    },
  },
  '4.8/unchanged': {
    title: 'Books an order even after an invalid booking request',
    rules: ['4.8/body'],
    async run(service) {
      const order_id = await service.setup.order()
      for (const changes of [
        { appointment_notes: 'x'.repeat(1001) },
        { booking_key: null },
        { async_confirmation: true, sync_confirmation_timeout_millisecond: 999 },
      ]) {
        const response = await bookOrder(service, order_id, confirm, changes)
        assertRejected(response, 'an invalid booking')
      }
      const response = await bookOrder(service, order_id, confirm)
      const { json } = assertSuccess(response)
      assertEqual(fieldOf(json, 'status'), 'confirmed', 'status')
      assertEqual(fieldOf(json, 'appointment_notes') ?? null, null, 'appointment_notes')
    },
  },
  '4.8/uuid': {
    title: 'Rejects a booking for an order id that is not a UUID',
    rules: ['4.8/path'],
    needs: ['bookingKey'],
    async run(service) {
      const body = { booking_key: await service.setup.bookingKey(confirm) }
      for (const order_id of invalidUuids) {
        const request = { params: { order_id }, body }
        await service.reject(
          'orders.bookPhlebotomyAppointment',
          request,
          'an order_id that is not a UUID',
        )
      }
    },
  },
  '4.8/unknown-order': {
    title: 'Rejects a booking for an unknown order',
    rules: ['4.8/path'],
    needs: ['bookingKey'],
    async run(service) {
      const response = await bookOrder(service, unknownId, confirm)
      assertRejected(response, 'an unknown order')
    },
  },
  '4.8/booked-once': {
    title: 'Rejects a second booking of an order, and leaves the first one unchanged',
    rules: ['4.8/path'],
    assumption: 'an order can be booked only once',
    async run(service) {
      const { params, response } = await book(service, confirm)
      const changes = { appointment_notes: 'Again' }
      for (const more of [changes, { ...changes, async_confirmation: true }]) {
        const again = await bookOrder(service, params.order_id, confirm, more)
        assertRejected(again, 'a second booking')
      }
      const read = await readAppointment(service, params)
      assertSameData(read, assertSuccess(response).json, 'the first appointment')
    },
  },
  '4.8/unknown-key': {
    title: 'Rejects a booking with an unknown or empty booking_key',
    rules: ['4.8/body'],
    assumption: 'a booking with an unknown or empty booking_key is invalid',
    async run(service) {
      for (const booking_key of ['no-such-key', '']) {
        await assertBookingRejected(service, { booking_key }, 'an unknown or empty booking_key')
      }
    },
  },
})
