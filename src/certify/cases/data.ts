import { type CaseDefinition, defineCertifyCases } from '../case.ts'
import { sleepCreated, source, testDataEvent, testNight, timeAt } from '../events.ts'

const tolerant =
  'Treat all fields of a record as optional and nullable; the specification does not define them.'
const exact = 'Store the values unchanged: no rounding, and no default for 0.'

export const dataCases = [
  ...defineCertifyCases('historical', {
    'without-is-final': historical('Accepts a historical event without is_final', {}),
    'is-final': historical('Accepts a historical event with is_final', { is_final: true }),
    'null-is-final': historical('Accepts a historical event whose is_final is null', {
      is_final: null,
    }),
    empty: {
      title: 'Accepts a historical event without records',
      basis: 'Specification part 6: sent once per resource',
      remedy: 'Handle an empty data.data: the provider had no data for the resource.',
      async run(trial) {
        await trial.accept(testDataEvent('historical.data.workouts.created', trial.userId, []))
      },
    },
  }),
  ...defineCertifyCases('data', {
    'null-fields': {
      title: 'Accepts records whose optional fields are null',
      basis: 'Specification part 6: the items of data.data are not defined',
      remedy: tolerant,
      async run(trial) {
        const nulls = { score: null, efficiency: null, state: null, calendar_date: null }
        await trial.accept(sleepCreated(trial.userId, testNight(trial.userId, nulls)))
      },
    },
    'missing-fields': {
      title: 'Accepts records without optional fields',
      basis: 'Specification part 6: the items of data.data are not defined',
      remedy: tolerant,
      async run(trial) {
        const { userId } = trial
        const night = { id: crypto.randomUUID(), user_id: userId, source, updated_at: timeAt(0) }
        await trial.accept(sleepCreated(userId, night))
      },
    },
    stored: {
      title: "Stores a record's fields unchanged",
      basis: 'Specification part 6: new data values',
      remedy: `${exact} Return them from the probe with the event's field names.`,
      needs: ['probe'],
      async run(trial) {
        const night = testNight(trial.userId)
        await trial.accept(sleepCreated(trial.userId, night))
        await trial.expectStored([night])
      },
    },
    zero: {
      title: 'Stores the value 0',
      basis: 'Specification part 6: new data values',
      remedy: `${exact} Compare with null or undefined instead of testing for a truthy value.`,
      needs: ['probe'],
      async run(trial) {
        const night = testNight(trial.userId, { score: 0 })
        await trial.accept(sleepCreated(trial.userId, night))
        await trial.expectStored([night], 'score')
      },
    },
  }),
]

function historical(title: string, content: Record<string, unknown>): CaseDefinition {
  return {
    title,
    basis: 'Specification part 6, rule 1',
    remedy: 'Do not read is_final: the event is already final.',
    async run(trial) {
      const night = testNight(trial.userId)
      const event = testDataEvent('historical.data.sleep.created', trial.userId, [night], content)
      await trial.accept(event)
      if (trial.settings.probe) await trial.expectStored([night])
    },
  }
}
