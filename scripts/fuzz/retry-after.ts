import * as fc from 'fast-check'
import { parseRetryAfter } from '../../src/client/retries/retry.ts'
import { changeString, someChanges } from './changes.ts'
import { ensure, type Target, target } from './target.ts'

const now = Date.parse('2025-06-01T09:00:00Z')

const valid = [
  '0',
  '120',
  '1.5',
  'Sun, 01 Jun 2025 09:01:00 GMT',
  'Sunday, 01-Jun-25 09:01:00 GMT',
  'Sun Jun  1 09:01:00 2025',
  'Sun, 01 Jun 2025 11:01:00 +0200',
]

/** Parses Retry-After. Seconds and dates must be exact. Anything else is undefined or a delay of at least 0. */
export const retryAfterTarget: Target = target(
  'retry-after',
  fc.oneof(
    fc.record({ text: fc.constantFrom(...valid), changes: someChanges }),
    fc.record({ text: fc.string({ unit: 'binary' }), changes: fc.constant([]) }),
    fc.record({ seconds: fc.nat(100_000_000) }),
  ),
  (input) => {
    if ('seconds' in input) {
      const { seconds } = input
      const date = new Date(now + seconds * 1000).toUTCString()
      ensure(parseRetryAfter(String(seconds), now) === seconds * 1000, 'seconds are parsed')
      ensure(parseRetryAfter(date, now) === seconds * 1000, `the date ${date} is parsed`)
      return
    }
    const delay = parseRetryAfter(changeString(input.text, input.changes), now)
    ensure(delay === undefined || delay >= 0, `${delay} is undefined or at least 0`)
  },
)
