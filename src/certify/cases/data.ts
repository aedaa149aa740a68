import { accepts, type CaseDefinition, defineCertifyCases } from '../case.ts'
import type { SentRecord } from '../compare.ts'
import { bareNight, sleepCreated, testDataEvent, testNight } from '../events.ts'

const tolerant =
  'Treat all fields of a record as optional and nullable; the specification does not define them.'
const exact = 'Store the values unchanged: do not round them or replace 0 with a default.'
const open = 'Specification part 6: the items of data.data are not defined'

export const dataCases = [
  ...defineCertifyCases('historical', 'Specification part 6, rule 1', {
    'without-is-final': historical('Accepts a historical event without is_final', {}),
    'is-final': historical('Accepts a historical event with is_final', { is_final: true }),
    'null-is-final': historical('Accepts a historical event whose is_final is null', {
      is_final: null,
    }),
    empty: {
      title: 'Accepts a historical event without records',
      basis: 'Specification part 6: historical events are sent once per resource',
      remedy: 'Handle an empty data.data: the provider may have no data for the resource.',
      run: accepts((userId) => testDataEvent('historical.data.workouts.created', userId, [])),
    },
  }),
  ...defineCertifyCases('data', 'Specification part 6: *.created events contain new data values', {
    'null-fields': {
      title: 'Accepts records whose optional fields are null',
      basis: open,
      remedy: tolerant,
      run: accepts((userId) => {
        const nulls = { score: null, efficiency: null, state: null, calendar_date: null }
        return sleepCreated(userId, testNight(userId, nulls))
      }),
    },
    'missing-fields': {
      title: 'Accepts records without optional fields',
      basis: open,
      remedy: tolerant,
      run: accepts((userId) => sleepCreated(userId, bareNight(userId))),
    },
    stored: {
      title: "Stores a record's fields unchanged",
      remedy: `${exact} Return them from the probe with the event's field names.`,
      needs: ['probe'],
      run: stores({}),
    },
    zero: {
      title: 'Stores the value 0',
      remedy: `${exact} Compare with null or undefined instead of testing for truthiness.`,
      needs: ['probe'],
      run: stores({ score: 0 }, 'score'),
    },
    // In UTC, all times in these records fall on a different day than `calendar_date`.
    'local-day': localDay(
      'Stores the calendar_date unchanged for a record from a time zone west of UTC',
      {
        calendar_date: '2025-05-31',
        bedtime_start: '2025-06-01T00:30:00Z',
        bedtime_stop: '2025-06-01T02:30:00Z',
        timezone_offset: -14_400,
      },
    ),
    'local-day-east': localDay(
      'Stores the calendar_date unchanged for a record from a time zone east of UTC',
      {
        calendar_date: '2025-06-01',
        bedtime_start: '2025-05-31T10:30:00Z',
        bedtime_stop: '2025-05-31T18:30:00Z',
        timezone_offset: 43_200,
      },
    ),
    'local-day-half-hour': localDay(
      'Stores the calendar_date unchanged for a record from a time zone with a half-hour offset',
      {
        calendar_date: '2025-06-01',
        bedtime_start: '2025-05-31T13:00:00Z',
        bedtime_stop: '2025-05-31T18:45:00Z',
        timezone_offset: 19_800,
      },
    ),
    'local-day-without-offset': localDay(
      'Stores the calendar_date unchanged for a record whose timezone_offset is null',
      {
        calendar_date: '2025-05-31',
        bedtime_start: '2025-06-01T00:30:00Z',
        bedtime_stop: '2025-06-01T02:30:00Z',
        timezone_offset: null,
      },
    ),
  }),
]

function historical(title: string, content: Record<string, unknown>): CaseDefinition {
  return {
    title,
    remedy: 'Ignore is_final: it is deprecated, because historical events are always final.',
    async run(trial) {
      const night = testNight(trial.userId)
      const event = testDataEvent('historical.data.sleep.created', trial.userId, [night], content)
      await trial.accept(event)
      if (trial.settings.probe) await trial.expectStored([night])
    },
  }
}

function localDay(title: string, changes: SentRecord): CaseDefinition {
  const { bedtime_stop } = changes
  return {
    title,
    basis: "Time (assumption): calendar_date is the user's local day",
    remedy:
      'Store calendar_date unchanged. Do not compute the day from bedtime_start, bedtime_stop or updated_at, which are in UTC.',
    needs: ['probe'],
    run: stores(
      { ...changes, created_at: bedtime_stop, updated_at: bedtime_stop },
      'calendar_date',
    ),
  }
}

/** Returns a `run` function that sends a night and expects the receiver to store it, including `field`. */
function stores(changes: SentRecord, field?: string): CaseDefinition['run'] {
  return async (trial) => {
    const night = testNight(trial.userId, changes)
    await trial.accept(sleepCreated(trial.userId, night))
    await trial.expectStored([night], field)
  }
}
