import { type CaseDefinition, defineCertifyCases } from '../case.ts'
import type { SentRecord } from '../compare.ts'
import { sleepCreated, testNight } from '../events.ts'

/** In UTC, all times in these records fall on a different day than `calendar_date`. */
export const dayCases = defineCertifyCases('data', {
  'local-day': stored("Stores a record's local day in a zone west of UTC", {
    calendar_date: '2025-05-31',
    session_start: '2025-06-01T00:30:00Z',
    session_end: '2025-06-01T02:30:00Z',
    timezone_offset: -14_400,
    created_at: '2025-06-01T02:40:00Z',
    updated_at: '2025-06-01T02:40:00Z',
  }),
  'local-day-east': stored("Stores a record's local day in a zone east of UTC", {
    calendar_date: '2025-06-01',
    session_start: '2025-05-31T10:30:00Z',
    session_end: '2025-05-31T18:30:00Z',
    timezone_offset: 43_200,
    created_at: '2025-05-31T19:00:00Z',
    updated_at: '2025-05-31T19:00:00Z',
  }),
  'local-day-half-hour': stored("Stores a record's local day in a zone with a half-hour offset", {
    calendar_date: '2025-06-01',
    session_start: '2025-05-31T13:00:00Z',
    session_end: '2025-05-31T18:45:00Z',
    timezone_offset: 19_800,
    created_at: '2025-05-31T19:00:00Z',
    updated_at: '2025-05-31T19:00:00Z',
  }),
  'local-day-without-offset': stored("Stores a record's local day without timezone_offset", {
    calendar_date: '2025-05-31',
    session_start: '2025-06-01T00:30:00Z',
    session_end: '2025-06-01T02:30:00Z',
    timezone_offset: null,
    created_at: '2025-06-01T02:40:00Z',
    updated_at: '2025-06-01T02:40:00Z',
  }),
})

function stored(title: string, changes: SentRecord): CaseDefinition {
  return {
    title,
    basis: "Time (assumption): calendar_date is the user's local day",
    remedy:
      'Store calendar_date unchanged. Do not compute the day from session_start, session_end or updated_at, which are in UTC.',
    needs: ['probe'],
    async run(trial) {
      const night = testNight(trial.userId, changes)
      await trial.accept(sleepCreated(trial.userId, night))
      await trial.expectStored([night], 'calendar_date')
    },
  }
}
