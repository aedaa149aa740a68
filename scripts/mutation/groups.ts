/** Related files, and the tests that must kill their mutants. */
export interface Group {
  name: string
  /** Files or patterns. Each may end with a range of lines. */
  mutate: string[]
  tests: string[]
  /** Whether the short run of CI includes the group. */
  isBounded?: boolean
}

function client(...names: string[]): string[] {
  return names.map((name) => `test/client/**/${name}.test.ts`)
}

function mock(...names: string[]): string[] {
  return names.map((name) => `test/mock/${name}.test.ts`)
}

export const groups: Group[] = [
  {
    name: 'transport',
    mutate: [
      'src/client/transport/transport.ts',
      'src/client/transport/call-runner.ts',
      'src/client/transport/running-call.ts',
      'src/client/transport/attempt/running-attempt.ts',
      'src/client/retries/send-with-retries.ts',
      'src/client/transport/cancellation.ts',
      'src/client/transport/concurrency-limit.ts',
    ],
    tests: [
      ...client(
        'requests',
        'invalid-requests',
        'errors',
        'timeouts',
        'abort',
        'concurrency',
        'hooks',
        'logging',
      ),
      ...client(
        'download',
        'body',
        'large-bodies.long',
        'as-response',
        'strictness',
        'tolerance',
        'with-options',
      ),
      ...client('client-options', 'idempotency', 'call-site', 'clock', 'leaks', 'sockets'),
      ...client('wait-for-appointment'),
      'test/client/appointments/book-and-wait.attack.test.ts',
      ...mock('client-clock', 'mock-errors', 'msw'),
      'test/client/transport/*.attack.test.ts',
    ],
  },
  {
    name: 'responses',
    mutate: [
      'src/client/transport/read-response.ts',
      'src/client/transport/body.ts',
      'src/client/redaction.ts',
    ],
    tests: [
      ...client(
        'responses',
        'body',
        'large-bodies.long',
        'download',
        'as-response',
        'tolerance',
        'errors',
        'hooks',
      ),
      ...client('requests', 'invalid-requests', 'redaction'),
    ],
  },
  {
    name: 'retries',
    mutate: ['src/client/retries/retry.ts'],
    tests: client('retry', 'errors'),
    isBounded: true,
  },
  {
    name: 'events',
    mutate: ['src/events/*.ts'],
    tests: ['test/events/*.test.ts'],
  },
  {
    name: 'pagination',
    mutate: [
      'src/client/pagination/page-call.ts',
      'src/client/pagination/follow-pages.ts',
      'src/client/pagination/list-pages.ts',
    ],
    tests: [...client('pages', 'linked-pages'), 'test/client/pagination/walks.attack.test.ts'],
  },
  {
    name: 'where-parser',
    mutate: ['mock/query/where.ts', 'mock/query/tokens.ts'],
    tests: mock('query/where'),
  },
  {
    name: 'clock',
    mutate: ['mock/state/clock/*.ts'],
    tests: [
      ...mock('state/clock/time', 'state/clock/time-values', 'state/clock/clock'),
      ...mock(
        'state/clock/clock-moves',
        'state/clock/client-timers',
        'state/scaling',
        'state/snapshot',
        'state/teams',
      ),
      ...mock(
        'client-clock',
        'mock-errors',
        'events/delivery/*',
        'faults/faults',
        'control/control',
      ),
      'test/mock/state/clock/time.attack.test.ts',
      'test/explore/{explore,programs,run-limits}.test.ts',
    ],
  },
  {
    name: 'bookings',
    mutate: ['mock/state/bookings/*.ts'],
    tests: mock(
      'routes/orders',
      'routes/idempotency',
      'state/bookings',
      'state/order-life',
      'state/snapshot',
    ),
  },
]
