import { assertEqual, assertSuccess, assertThat } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import type { BookingScenario } from '../../setup.ts'
import { fieldOf } from '../../shape.ts'
import {
  assertStatuses,
  book,
  bookAsync,
  confirm,
  getStatus,
  minutes,
  needsTime,
  type OrderParams,
  readAppointment,
  seconds,
} from './book.ts'

const hours = 60 * minutes
/** The tolerance for the duration of a call, in milliseconds. */
const slack = 500
/** The shortest confirmation window, in milliseconds. */
const window = 1 * seconds

const timeoutOf = (async_confirmation_timeout_millisecond: number) => ({
  async_confirmation_timeout_millisecond,
})

/** Books with the shortest confirmation window, and asserts that the appointment is pending. */
async function bookPending(
  service: TestedService,
  ending: BookingScenario,
  timeout?: number | null,
): Promise<OrderParams> {
  const { params, status } = await bookAsync(service, ending, {
    sync_confirmation_timeout_millisecond: window,
    async_confirmation_timeout_millisecond: timeout,
  })
  assertEqual(status, 'pending', 'the booking status')
  return params
}

async function bookNever(service: TestedService, changes: Record<string, unknown> = {}) {
  const { params } = await bookAsync(service, { outcome: 'never' }, changes)
  return params
}

async function bookSync(service: TestedService, changes: Record<string, unknown> = {}) {
  const { params, response } = await book(service, confirm, changes)
  assertSuccess(response)
  return params
}

/**
 * Asserts that a pending appointment is cancelled after `time` milliseconds. The specification does not define whether
 * this time starts when the booking is requested or when the pending appointment is returned.
 */
async function assertCancelledAfter(service: TestedService, time: number, timeout?: number | null) {
  const params = await bookPending(service, { outcome: 'never' }, timeout)
  await assertStatuses(service, params, [
    [time - window - slack, 'pending', `before ${time} ms`],
    [window + 2 * slack, 'cancelled', `after ${time} ms`],
  ])
}

export const pendingAppointmentCases = defineCases(needsTime, {
  '3.1/background': {
    title: 'Continues a booking in the background and confirms its pending appointment',
    rules: ['3.1/pending', '4.8/rule-2'],
    async run(service) {
      for (const [after, timeout] of [
        [90 * seconds, undefined],
        [59 * seconds, 60_000],
        [5 * minutes, 10 * minutes],
        [14 * minutes, null],
        [47 * hours, 172_800_000],
      ] as const) {
        const params = await bookPending(service, { outcome: 'confirm', after }, timeout)
        await assertStatuses(service, params, [
          [after - window - slack, 'pending', 'before the confirmation'],
          [2 * slack, 'confirmed', 'after the confirmation'],
        ])
      }
    },
  },
  '3.1/confirmed-for-good': {
    title: 'Keeps an appointment confirmed after the background timeout',
    rules: ['3.1/cancelled', '4.8/rule-3'],
    async run(service) {
      for (const after of [0, 30 * seconds]) {
        const ending = { outcome: 'confirm', after } as const
        const { params } = await bookAsync(service, ending, timeoutOf(60_000))
        await assertStatuses(service, params, [
          [59 * seconds, 'confirmed', 'before the timeout'],
          [20 * minutes, 'confirmed', 'after the timeout'],
        ])
      }
    },
  },
  '3.1/cancelled': {
    title: 'Cancels a pending appointment when async_confirmation_timeout_millisecond has passed',
    rules: ['3.1/cancelled', '4.8/rule-3'],
    async run(service) {
      for (const timeout of [60_000, 2 * minutes, 20 * minutes, 172_800_000]) {
        await assertCancelledAfter(service, timeout, timeout)
      }
    },
  },
  '3.1/cancelled-without-a-window': {
    title:
      'Cancels a pending appointment on time even without sync_confirmation_timeout_millisecond',
    rules: ['3.1/cancelled', '4.8/rule-3'],
    async run(service) {
      const ending = { outcome: 'never' } as const
      const { params, status } = await bookAsync(service, ending, timeoutOf(60_000))
      assertEqual(status, 'pending', 'the booking status')
      await assertStatuses(service, params, [
        [57 * seconds, 'pending', 'before the timeout'],
        [7 * seconds, 'cancelled', 'after the timeout'],
      ])
    },
  },
  '8/async-default': {
    title: 'Cancels a pending appointment after 15 minutes by default',
    rules: ['8/async-timeout', '4.8/body'],
    async run(service) {
      for (const timeout of [undefined, null]) {
        await assertCancelledAfter(service, 15 * minutes, timeout)
      }
    },
  },
  '3.1/from-the-call': {
    title: "Starts a booking's background timeout when the call starts",
    rules: ['3.1/cancelled'],
    assumption: 'both timeouts start when the call starts',
    async run(service) {
      const longest = { sync_confirmation_timeout_millisecond: 10_000 }
      const params = await bookNever(service, { ...longest, ...timeoutOf(60_000) })
      await assertStatuses(service, params, [
        [50 * seconds - slack, 'pending', 'before the timeout'],
        [2 * slack, 'cancelled', 'after the timeout'],
      ])
    },
  },
  '3.1/abandoned': {
    title: 'Ignores a confirmation that arrives after the booking was cancelled',
    rules: ['4.8/rule-3', '3.1/cancelled'],
    async run(service) {
      for (const after of [70 * seconds, 2 * minutes]) {
        const params = await bookPending(service, { outcome: 'confirm', after }, 60_000)
        await assertStatuses(service, params, [
          [62 * seconds, 'cancelled', 'after the timeout'],
          [2 * minutes, 'cancelled', 'after the confirmation'],
        ])
      }
    },
  },
  '3.1/failed-in-the-background': {
    title: 'Cancels a pending appointment whose booking fails in the background',
    rules: ['3.1/cancelled', '4.8/rule-3'],
    async run(service) {
      const params = await bookPending(service, { outcome: 'fail', after: 30 * seconds }, 60_000)
      await assertStatuses(service, params, [[62 * seconds, 'cancelled', 'after the timeout']])
    },
  },
  '3.1/each-its-own': {
    title: 'Cancels or confirms each of several pending appointments at the right time',
    rules: ['3.1/cancelled', '3.1/pending', '4.8/rule-3'],
    async run(service) {
      const all = [
        await bookPending(service, { outcome: 'never' }, 60_000),
        await bookPending(service, { outcome: 'never' }, 5 * minutes),
        await bookPending(service, { outcome: 'confirm', after: 3 * minutes }, null),
      ]
      for (const expected of [
        ['cancelled', 'pending', 'pending'],
        ['cancelled', 'pending', 'confirmed'],
        ['cancelled', 'cancelled', 'confirmed'],
      ]) {
        await service.setup.advance(2 * minutes)
        const found = await Promise.all(all.map((params) => getStatus(service, params)))
        assertEqual(found, expected, 'the statuses')
      }
    },
  },
  '3.1/event-status': {
    title: "Returns event_status and events that match an appointment's status",
    rules: ['3.1/statuses', '2.6/fields'],
    assumption: 'event_status equals status, except that confirmed becomes scheduled',
    async run(service) {
      const params = await bookPending(service, { outcome: 'confirm', after: 30 * seconds })
      await assertEventStatus(service, params, 'pending')
      await service.setup.advance(1 * minutes)
      await assertEventStatus(service, params, 'scheduled')
      const other = await bookPending(service, { outcome: 'never' }, 60_000)
      await service.setup.advance(1 * minutes)
      await assertEventStatus(service, other, 'cancelled')
    },
  },
  '3.1/after-every-kind': {
    title: 'Keeps confirmed appointments confirmed and cancelled ones cancelled after all timeouts',
    rules: ['4.8/rule-3', '4.8/rule-4', '3.1/cancelled', '3.1/in-window'],
    async run(service) {
      const limit = timeoutOf(1 * minutes)
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
      const cancelled = await bookNever(service, limit)
      // The specification defines no later transitions. After a day, a service may complete a confirmed appointment.
      for (const wait of [2, 20, 100, 1600, 1300]) {
        await assertStatuses(service, cancelled, [
          [wait * minutes, 'cancelled', 'after the timeout'],
        ])
        for (const params of confirmed) {
          const status = await getStatus(service, params)
          const isOther = status === 'cancelled' || status === 'pending' || status === 'reserved'
          assertThat(
            !isOther,
            `Expected a confirmed appointment to stay confirmed, found the status ${String(status)}.`,
          )
        }
      }
    },
  },
  '3.1/own-limits': {
    title: "Applies a booking's timeouts only to that booking",
    rules: ['4.8/rule-3', '4.8/rule-4', '3.1/cancelled'],
    async run(service) {
      const [short, long] = [timeoutOf(2 * minutes), timeoutOf(30 * minutes)]
      const shortWindow = { sync_confirmation_timeout_millisecond: window }
      const bookings = [
        { params: await bookNever(service, { ...long, ...shortWindow }), lasts: 30 },
        { params: await bookNever(service, { ...short, appointment_notes: 'Ring' }), lasts: 2 },
        { params: await bookNever(service, { ...long, appointment_notes: 'Ring' }), lasts: 30 },
        { params: await bookNever(service, { ...short, ...shortWindow }), lasts: 2 },
        { params: await bookNever(service), lasts: 15 },
        { params: await bookNever(service, short), lasts: 2 },
      ]
      await bookSync(service, timeoutOf(1 * minutes))
      await bookSync(service, timeoutOf(60 * minutes))
      let passed = 0
      for (const moment of [1, 4, 13, 17, 28, 33]) {
        await service.setup.advance((moment - passed) * minutes)
        passed = moment
        for (const { params, lasts } of bookings) {
          const expected = moment < lasts ? 'pending' : 'cancelled'
          const name = `the status at minute ${moment} of a booking with a limit of ${lasts} minutes`
          assertEqual(await getStatus(service, params), expected, name)
        }
      }
    },
  },
  '3.1/not-restarted': {
    title: 'Cancels a pending appointment on time even if others are booked in the meantime',
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
        await service.setup.advance(3 * minutes)
        await bookOther()
        await assertStatuses(service, params, [
          [1 * minutes, 'pending', 'before the timeout'],
          [2 * minutes, 'cancelled', 'after the timeout'],
        ])
      }
    },
  },
  '3.1/first-read': {
    title: 'Cancels a pending appointment on time even if it was never read',
    rules: ['4.8/rule-3', '3.1/cancelled'],
    async run(service) {
      const params = await bookNever(service, timeoutOf(1 * minutes))
      await assertStatuses(service, params, [[5 * minutes, 'cancelled', 'when first read']])
    },
  },
})

async function assertEventStatus(service: TestedService, params: OrderParams, expected: string) {
  const read = await readAppointment(service, params)
  assertEqual(fieldOf(read, 'event_status'), expected, 'event_status')
  const events = fieldOf(read, 'events')
  const last = Array.isArray(events) ? events.at(-1) : undefined
  assertEqual(fieldOf(last, 'status'), expected, 'the status of the latest event')
}
