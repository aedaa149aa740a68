import * as fc from 'fast-check'
import { parseRetryAfter } from '../../src/client/transport/retry.ts'
import { changedText, changes } from './mutation.ts'
import { must, type Target, target } from './target.ts'

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

/** Seconds and dates are read exactly; of anything else comes nothing, or a wait that is not negative. */
export const retryAfterTarget: Target = target(
  'retry-after',
  fc.oneof(
    fc.record({ text: fc.constantFrom(...valid), made: changes }),
    fc.record({ text: fc.string({ unit: 'binary' }), made: fc.constant([]) }),
    fc.record({ seconds: fc.nat(100_000_000) }),
  ),
  (input) => {
    if ('seconds' in input) {
      const { seconds } = input
      const date = new Date(now + seconds * 1000).toUTCString()
      must(parseRetryAfter(String(seconds), now) === seconds * 1000, 'seconds are read')
      must(parseRetryAfter(date, now) === seconds * 1000, `the date ${date} is read`)
      return
    }
    const delay = parseRetryAfter(changedText(input.text, input.made), now)
    must(delay === undefined || delay >= 0, `${delay} is a wait or nothing`)
  },
)
