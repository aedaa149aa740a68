/** Files that belong together, and the tests that must notice when one of them is broken. */
export interface Group {
  name: string
  mutate: string[]
  tests: string[]
  /** Whether CI runs it too: quick ones only. */
  isBounded?: boolean
}

export const groups: Group[] = [
  {
    name: 'transport',
    mutate: [
      'src/transport.ts',
      'src/attempts.ts',
      'src/cancellation.ts',
      'src/answer.ts',
      'src/body.ts',
      'src/gate.ts',
      'src/redact.ts',
    ],
    tests: ['test/client/*.test.ts'],
  },
  {
    name: 'retry',
    mutate: ['src/retry.ts'],
    tests: ['test/client/retry.test.ts', 'test/client/errors.test.ts'],
    isBounded: true,
  },
  { name: 'events', mutate: ['src/events/*.ts'], tests: ['test/events/*.test.ts'] },
  {
    name: 'pagination',
    mutate: ['src/paginate.ts'],
    tests: ['test/client/pages.test.ts'],
    isBounded: true,
  },
  {
    name: 'where-parser',
    mutate: ['mock/query/where.ts'],
    tests: ['test/mock/where.test.ts'],
    isBounded: true,
  },
  {
    name: 'clock',
    mutate: ['mock/clock.ts', 'mock/time.ts'],
    tests: ['test/mock/clock.test.ts', 'test/mock/webhooks.test.ts', 'test/mock/faults.test.ts'],
  },
  {
    name: 'bookings',
    mutate: ['mock/bookings.ts', 'mock/appointments.ts'],
    tests: ['test/mock/orders.test.ts', 'test/mock/snapshot.test.ts', 'test/mock/model.test.ts'],
  },
]
