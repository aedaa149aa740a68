import { assertEqual, assertSuccess, assertThat } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import {
  assertBookingRejected,
  assertNotesKept,
  book,
  bookAsync,
  confirm,
  getStatus,
  minutes,
  needsBooking,
  needsTime,
  seconds,
} from './book.ts'

const minute = 1 * minutes
const timeoutOf = (async_confirmation_timeout_millisecond: number) => ({
  async_confirmation_timeout_millisecond,
})

/** Books without `async_confirmation`, and returns the path parameters. */
async function bookSync(service: TestedService, changes: Record<string, unknown> = {}) {
  const { params, response } = await book(service, confirm, changes)
  assertSuccess(response)
  return params
}

/** Books an appointment that is never confirmed, and returns the path parameters. */
async function bookNever(service: TestedService, changes: Record<string, unknown> = {}) {
  const { params } = await bookAsync(service, { outcome: 'never' }, changes)
  return params
}

/** Appointment notes of at most 1,000 characters. Some are longer in other units, such as bytes. */
const longNotes = ['é'.repeat(1000), '<&>"\''.repeat(200), 'a\n'.repeat(500), ' b'.repeat(500)]
const emojiNotes = ['🐕'.repeat(1000), '👩‍🔬'.repeat(333)]
const tooLong = [
  `${' '.repeat(20)}${'x'.repeat(981)}`,
  `${'x'.repeat(981)}${' '.repeat(20)}`,
  `${'x'.repeat(500)}${' '.repeat(501)}y`,
  `${'x\n'.repeat(500)}y`,
  'é'.repeat(1001),
]

export const bookingLimitCases = defineCases(needsTime, {
  '8/notes-of-characters': {
    title: 'Counts the characters of appointment_notes as sent, not the bytes',
    rules: ['8/notes', '2.6/notes'],
    needs: needsBooking,
    async run(service) {
      await assertNotesKept(service, longNotes)
      for (const appointment_notes of tooLong) {
        const input = 'more than 1,000 characters of appointment_notes'
        await assertBookingRejected(service, { appointment_notes }, input)
      }
    },
  },
  '8/notes-of-emoji': {
    title: 'Counts a character outside the Basic Multilingual Plane as one character',
    rules: ['8/notes', '2.6/notes'],
    needs: needsBooking,
    assumption: 'a character of appointment_notes is a Unicode code point, as in JSON Schema',
    async run(service) {
      await assertNotesKept(service, emojiNotes)
      for (const appointment_notes of ['🐕'.repeat(1001), '👩‍🔬'.repeat(334)]) {
        const input = 'more than 1,000 characters of appointment_notes'
        await assertBookingRejected(service, { appointment_notes }, input)
      }
    },
  },
  '4.8/letters': {
    title: 'Returns the letters, case and spaces of appointment_notes as sent',
    rules: ['4.8/body', '2.6/notes'],
    needs: needsBooking,
    async run(service) {
      await assertNotesKept(service, ['  “Öko”  №5 ﬁ – e\u0301 é 犬 🐕‍🦺 McD '])
    },
  },
  '3.1/after-every-kind': {
    title: "Keeps every booking's result after the time limits in 4.8",
    rules: ['4.8/rule-3', '4.8/rule-4', '3.1/cancelled', '3.1/in-window'],
    async run(service) {
      const limit = timeoutOf(minute)
      const confirmed = [
        await bookSync(service),
        await bookSync(service, limit),
        await bookSync(service, { ...limit, async_confirmation: false }),
      ]
      for (const [after, changes] of [
        [0, {}],
        [1 * seconds, limit],
        [20 * seconds, limit],
        [30 * seconds, {}],
      ] as const) {
        const { params } = await bookAsync(service, { outcome: 'confirm', after }, changes)
        confirmed.push(params)
      }
      const cancelled = [await bookNever(service, limit)]
      // The specification defines no other transition, but after a day the service may make one, such as to completed.
      for (const wait of [2, 20, 100, 1600, 1300]) {
        await service.advance(wait * minutes)
        for (const params of confirmed) {
          const status = await getStatus(service, params)
          const isOther = status === 'cancelled' || status === 'pending' || status === 'reserved'
          assertThat(!isOther, 'Expected a confirmed appointment to stay confirmed.')
        }
        for (const params of cancelled) {
          assertEqual(await getStatus(service, params), 'cancelled', 'the status after the timeout')
        }
      }
    },
  },
  '3.1/own-limits': {
    title: 'Applies the limits of a booking only to that booking',
    rules: ['4.8/rule-3', '4.8/rule-4', '3.1/cancelled'],
    async run(service) {
      const short = timeoutOf(2 * minutes)
      const long = timeoutOf(30 * minutes)
      const window = { sync_confirmation_timeout_millisecond: 1 * seconds }
      const bookings = [
        { params: await bookNever(service, { ...long, ...window }), lasts: 30 },
        { params: await bookNever(service, { ...short, appointment_notes: 'Ring' }), lasts: 2 },
        { params: await bookNever(service, { ...long, appointment_notes: 'Ring' }), lasts: 30 },
        { params: await bookNever(service, { ...short, ...window }), lasts: 2 },
        { params: await bookNever(service), lasts: 15 },
        { params: await bookNever(service, short), lasts: 2 },
      ]
      await bookSync(service, timeoutOf(minute))
      await bookSync(service, timeoutOf(60 * minutes))
      let passed = 0
      for (const moment of [1, 4, 13, 17, 28, 33]) {
        await service.advance((moment - passed) * minutes)
        passed = moment
        for (const { params, lasts } of bookings) {
          const expected = moment < lasts ? 'pending' : 'cancelled'
          const name = `the status ${moment} minutes after a booking with a limit of ${lasts} minutes`
          assertEqual(await getStatus(service, params), expected, name)
        }
      }
    },
  },
  '3.1/not-restarted': {
    title: 'Cancels a pending appointment in time even if others are booked meanwhile',
    rules: ['4.8/rule-3', '3.1/cancelled'],
    async run(service) {
      const others = [
        () => bookNever(service),
        () => bookSync(service),
        () => book(service, { outcome: 'fail' }),
        () => bookAsync(service, confirm),
      ]
      for (const bookOther of others) {
        const params = await bookNever(service, timeoutOf(5 * minutes))
        await service.advance(3 * minutes)
        await bookOther()
        await service.advance(minute)
        assertEqual(await getStatus(service, params), 'pending', 'the status before the timeout')
        await service.advance(2 * minutes)
        assertEqual(await getStatus(service, params), 'cancelled', 'the status after the timeout')
      }
    },
  },
  '3.1/first-read': {
    title: 'Cancels a pending appointment in time even if it was never read',
    rules: ['4.8/rule-3', '3.1/cancelled'],
    async run(service) {
      const params = await bookNever(service, timeoutOf(minute))
      await service.advance(5 * minutes)
      assertEqual(await getStatus(service, params), 'cancelled', 'the status when first read')
    },
  },
})
