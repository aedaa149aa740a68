import { defineCertifyCases } from '../case.ts'
import { heartRates, heartRatesCreated, sleepCreated, testDataEvent, testNight } from '../events.ts'

const basis = 'Specification part 6: data.data is an array; its length is not defined'
const size =
  'Raise the body limit: the default is 100 kB in express.raw(), 1 MiB in Fastify and 10 MiB in eventHandler.'

export const batchCases = defineCertifyCases('batch', {
  large: {
    title: 'Accepts an event with 2,500 samples (about 300 kB)',
    basis,
    remedy: size,
    async run(trial) {
      await trial.accept(heartRatesCreated(trial.userId, heartRates(trial.userId, 2_500)))
    },
  },
  'large-stored': {
    title: 'Stores all records of an event with 400 nights',
    basis,
    remedy: `Store every item of data.data, not only the first or the first hundred. ${size}`,
    needs: ['probe'],
    async run(trial) {
      const nights = Array.from({ length: 400 }, () => testNight(trial.userId))
      await trial.accept(sleepCreated(trial.userId, ...nights))
      await trial.expectStored(nights)
    },
  },
  empty: {
    title: 'Accepts an event without records',
    basis,
    remedy: 'Handle an empty data.data, for example before you build an insert statement from it.',
    async run(trial) {
      await trial.accept(sleepCreated(trial.userId))
    },
  },
  'empty-keeps': {
    title: 'Keeps stored records when an event without records arrives',
    basis,
    remedy:
      "Add an event's records to the stored ones; do not replace the records of the user or day.",
    needs: ['probe'],
    async run(trial) {
      const night = testNight(trial.userId)
      await trial.accept(sleepCreated(trial.userId, night))
      await trial.accept(sleepCreated(trial.userId))
      await trial.accept(testDataEvent('historical.data.sleep.created', trial.userId, []))
      await trial.expectStored([night])
    },
  },
  overlap: {
    title: 'Stores a record once when two events contain it',
    basis: 'Delivery (assumption): chunks may overlap',
    remedy: 'Write records by their id: insert … on conflict (id) do update.',
    needs: ['probe'],
    async run(trial) {
      const [one, both, other] = [1, 2, 3].map(() => testNight(trial.userId))
      const nights = [one, both, other].filter((night) => night !== undefined)
      await trial.accept(sleepCreated(trial.userId, ...nights.slice(0, 2)))
      await trial.accept(sleepCreated(trial.userId, ...nights.slice(1)))
      await trial.expectStored(nights)
    },
  },
  'two-sessions': {
    title: 'Stores two records of the same day',
    basis: 'Specification part 2.9: a record has an id; a day may have several',
    remedy:
      "Use the record's id as the key, not the user and the day: a nap and a night share both.",
    needs: ['probe'],
    async run(trial) {
      const [night, nap] = [
        testNight(trial.userId),
        testNight(trial.userId, { type: 'nap', score: 55 }),
      ]
      await trial.accept(sleepCreated(trial.userId, night))
      await trial.accept(sleepCreated(trial.userId, nap))
      await trial.expectStored([night, nap])
    },
  },
})
