import { assertEqual } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import { bookAsync, minutes, needsBooking, seconds, step } from './book.ts'

/** Milliseconds until the confirmation, and the window in which the service waits for it. */
interface Times {
  after: number
  /** Default: none is sent. */
  window?: number | null | undefined
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
    async run(service) {
      for (const window of [1000, 1500, 4000, 6000, 10_000]) {
        for (const after of [0, window / 2, window - step]) {
          await assertStatus(service, 'confirmed', { after, window })
        }
      }
    },
  },
  '3.1/pending-in-time': {
    title: 'Returns a pending appointment when no confirmation comes within the window',
    rules: ['3.1/pending', '4.8/rule-2', '3.1/statuses'],
    needs: needsBooking,
    async run(service) {
      for (const window of [1000, 1500, 4000, 6000, 10_000]) {
        for (const after of [window + step, window * 2, 5 * minutes]) {
          await assertStatus(service, 'pending', { after, window })
        }
      }
    },
  },
  '3.1/pending-without-an-end': {
    title: 'Returns a pending appointment when no confirmation comes at all',
    rules: ['3.1/pending', '4.8/rule-2'],
    needs: needsBooking,
    async run(service) {
      for (const window of [undefined, 1000, 10_000]) {
        const changes = { sync_confirmation_timeout_millisecond: window }
        const { status } = await bookAsync(service, { outcome: 'never' }, changes)
        assertEqual(status, 'pending', 'status')
      }
    },
  },
  '8/sync-default': {
    title: 'Waits 2,500 milliseconds by default',
    rules: ['8/sync-timeout', '4.8/body'],
    needs: needsBooking,
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
      assertEqual(status, 'pending', 'status with both timeouts')
      await assertStatus(service, 'confirmed', { after: 2 * seconds })
    },
  },
})
