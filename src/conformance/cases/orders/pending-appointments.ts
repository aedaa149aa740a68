import { assertEqual } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import type { BookingScenario } from '../../setup.ts'
import { fieldOf } from '../../shape.ts'
import { bookAsync, getStatus, minutes, needsTime, readAppointment, seconds } from './book.ts'

const hours = 60 * minutes
/** The time that a call may take, in milliseconds. */
const slack = 500

/**
 * Books with the shortest confirmation window. Returns the path parameters and the milliseconds since the call began.
 */
async function bookPending(
  service: TestedService,
  ending: BookingScenario,
  timeout?: number | null,
) {
  const window = 1 * seconds
  const { params, status } = await bookAsync(service, ending, {
    sync_confirmation_timeout_millisecond: window,
    async_confirmation_timeout_millisecond: timeout,
  })
  assertEqual(status, 'pending', 'the booking status')
  return { params, elapsed: window }
}

/**
 * Asserts that a pending appointment is cancelled after `time` milliseconds, and not earlier. The specification does
 * not define whether the time starts with the call or with the pending appointment.
 */
async function assertCancelledAfter(service: TestedService, time: number, timeout?: number | null) {
  const { params, elapsed } = await bookPending(service, { outcome: 'never' }, timeout)
  await service.advance(time - elapsed - slack)
  assertEqual(await getStatus(service, params), 'pending', `the status before ${time} ms`)
  await service.advance(elapsed + 2 * slack)
  assertEqual(await getStatus(service, params), 'cancelled', `the status after ${time} ms`)
}

export const pendingAppointmentCases = defineCases(needsTime, {
  '3.1/background': {
    title: 'Continues the booking in the background and confirms the pending appointment',
    rules: ['3.1/pending', '4.8/rule-2'],
    async run(service) {
      for (const [after, timeout] of [
        [90 * seconds, undefined],
        [59 * seconds, 60_000],
        [5 * minutes, 10 * minutes],
        [14 * minutes, null],
        [47 * hours, 172_800_000],
      ]) {
        const at = Number(after)
        const scenario = { outcome: 'confirm', after: at } as const
        const { params, elapsed } = await bookPending(service, scenario, timeout)
        await service.advance(at - elapsed - slack)
        assertEqual(
          await getStatus(service, params),
          'pending',
          'the status before the confirmation',
        )
        await service.advance(2 * slack)
        assertEqual(
          await getStatus(service, params),
          'confirmed',
          'the status after the confirmation',
        )
      }
    },
  },
  '3.1/confirmed-for-good': {
    title: 'Keeps a confirmed appointment after the background timeout',
    rules: ['3.1/cancelled', '4.8/rule-3'],
    async run(service) {
      const timeout = { async_confirmation_timeout_millisecond: 60_000 }
      for (const after of [0, 30 * seconds]) {
        const { params } = await bookAsync(service, { outcome: 'confirm', after }, timeout)
        await service.advance(59 * seconds)
        assertEqual(await getStatus(service, params), 'confirmed', 'the status before the timeout')
        await service.advance(20 * minutes)
        assertEqual(await getStatus(service, params), 'confirmed', 'the status after the timeout')
      }
    },
  },
  '3.1/cancelled': {
    title: 'Cancels a pending appointment that is not confirmed in time',
    rules: ['3.1/cancelled', '4.8/rule-3'],
    async run(service) {
      for (const timeout of [60_000, 2 * minutes, 20 * minutes, 172_800_000]) {
        await assertCancelledAfter(service, timeout, timeout)
      }
    },
  },
  '3.1/cancelled-without-a-window': {
    title: 'Cancels a pending appointment in time when only the background timeout is sent',
    rules: ['3.1/cancelled', '4.8/rule-3'],
    async run(service) {
      const timeout = { async_confirmation_timeout_millisecond: 60_000 }
      const { params, status } = await bookAsync(service, { outcome: 'never' }, timeout)
      assertEqual(status, 'pending', 'the booking status')
      await service.advance(57 * seconds)
      assertEqual(await getStatus(service, params), 'pending', 'the status before a minute')
      await service.advance(7 * seconds)
      assertEqual(await getStatus(service, params), 'cancelled', 'the status after a minute')
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
    title: 'Starts the background timeout when the call begins',
    rules: ['3.1/cancelled'],
    assumption: 'both timeouts start when the call begins',
    async run(service) {
      const { params } = await bookAsync(
        service,
        { outcome: 'never' },
        {
          sync_confirmation_timeout_millisecond: 10_000,
          async_confirmation_timeout_millisecond: 60_000,
        },
      )
      await service.advance(50 * seconds - slack)
      assertEqual(await getStatus(service, params), 'pending', 'the status before a minute')
      await service.advance(2 * slack)
      assertEqual(await getStatus(service, params), 'cancelled', 'the status after a minute')
    },
  },
  '3.1/abandoned': {
    title: 'Ignores a confirmation that arrives after the booking was cancelled',
    rules: ['4.8/rule-3', '3.1/cancelled'],
    async run(service) {
      for (const after of [70 * seconds, 2 * minutes]) {
        const { params } = await bookPending(service, { outcome: 'confirm', after }, 60_000)
        await service.advance(62 * seconds)
        assertEqual(await getStatus(service, params), 'cancelled', 'status')
        await service.advance(2 * minutes)
        assertEqual(
          await getStatus(service, params),
          'cancelled',
          'the status after the confirmation',
        )
      }
    },
  },
  '3.1/failed-in-the-background': {
    title: 'Cancels a pending appointment whose booking fails',
    rules: ['3.1/cancelled', '4.8/rule-3'],
    async run(service) {
      const scenario = { outcome: 'fail', after: 30 * seconds } as const
      const { params } = await bookPending(service, scenario, 60_000)
      await service.advance(62 * seconds)
      assertEqual(await getStatus(service, params), 'cancelled', 'the status after the timeout')
    },
  },
  '3.1/each-its-own': {
    title: 'Cancels and confirms each of several pending appointments at the right time',
    rules: ['3.1/cancelled', '3.1/pending', '4.8/rule-3'],
    async run(service) {
      const short = await bookPending(service, { outcome: 'never' }, 60_000)
      const long = await bookPending(service, { outcome: 'never' }, 5 * minutes)
      const late = await bookPending(service, { outcome: 'confirm', after: 3 * minutes }, null)
      for (const [wait, ...expected] of [
        [2 * minutes, 'cancelled', 'pending', 'pending'],
        [2 * minutes, 'cancelled', 'pending', 'confirmed'],
        [2 * minutes, 'cancelled', 'cancelled', 'confirmed'],
      ] as const) {
        await service.advance(wait)
        const found = [short, long, late].map(({ params }) => getStatus(service, params))
        assertEqual(await Promise.all(found), expected, 'the statuses')
      }
    },
  },
  '3.1/event-status': {
    title: 'Returns event_status and events that follow the status',
    rules: ['3.1/statuses', '2.6/fields'],
    assumption: 'event_status equals status, except that confirmed becomes scheduled',
    async run(service) {
      const { params } = await bookPending(service, { outcome: 'confirm', after: 30 * seconds })
      await assertEventStatus(service, params, 'pending')
      await service.advance(1 * minutes)
      await assertEventStatus(service, params, 'scheduled')
      const other = await bookPending(service, { outcome: 'never' }, 60_000)
      await service.advance(1 * minutes)
      await assertEventStatus(service, other.params, 'cancelled')
    },
  },
})

async function assertEventStatus(
  service: TestedService,
  params: { order_id: string },
  expected: string,
) {
  const read = await readAppointment(service, params)
  assertEqual(fieldOf(read, 'event_status'), expected, 'event_status')
  const events = fieldOf(read, 'events')
  const last = Array.isArray(events) ? events.at(-1) : undefined
  assertEqual(fieldOf(last, 'status'), expected, 'the status of the latest event')
}
