/** Files that belong together, and the tests that must notice when one of them is broken. */
export interface Group {
  name: string
  mutate: string[]
  tests: string[]
  /** Whether the short run of CI has it: quick ones only. */
  isBounded?: boolean
}

function client(...names: string[]): string[] {
  return names.map((name) => `test/client/${name}.test.ts`)
}

function mock(...names: string[]): string[] {
  return names.map((name) => `test/mock/${name}.test.ts`)
}

export const groups: Group[] = [
  {
    name: 'transport',
    mutate: ['src/transport.ts', 'src/attempts.ts', 'src/cancellation.ts', 'src/gate.ts'],
    tests: client(
      ...['requests', 'errors', 'timeouts', 'concurrency', 'hooks', 'download', 'body'],
      ...['tolerance', 'leaks', 'sockets'],
    ),
  },
  {
    name: 'answers',
    mutate: ['src/answer.ts', 'src/body.ts', 'src/redact.ts'],
    tests: client('answers', 'body', 'tolerance', 'errors', 'hooks', 'requests'),
  },
  {
    name: 'retries',
    mutate: ['src/retry.ts'],
    tests: client('retry', 'errors'),
    isBounded: true,
  },
  {
    name: 'events',
    mutate: ['src/events/*.ts'],
    tests: ['test/events/*.test.ts', 'test/attacks/events.test.ts'],
  },
  {
    name: 'pagination',
    mutate: ['src/paginate.ts', 'src/page-cursors.ts', 'src/page-numbers.ts'],
    tests: [...client('pages'), 'test/attacks/walks.test.ts'],
  },
  {
    name: 'where-parser',
    mutate: ['mock/query/where.ts'],
    tests: mock('where'),
    isBounded: true,
  },
  {
    name: 'clock',
    mutate: ['mock/clock.ts', 'mock/time.ts'],
    tests: mock('time', 'clock', 'webhooks'),
  },
  {
    name: 'bookings',
    mutate: ['mock/bookings.ts', 'mock/appointments.ts'],
    tests: mock('orders', 'snapshot'),
  },
]
