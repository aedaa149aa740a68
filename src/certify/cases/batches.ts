import { accepts, type CaseDefinition, defineCertifyCases } from '../case.ts'
import { matchesOf, type SentRecord } from '../compare.ts'
import {
  bareNight,
  heartRates,
  heartRatesCreated,
  sleepCreated,
  source,
  testDataEvent,
  testNight,
} from '../events.ts'
import { expectThat, NotObservable } from '../expectation.ts'
import type { Trial } from '../trial.ts'

const basis = 'Specification part 6: data.data is an array; its length is not defined'
const size =
  'Raise the body limit: the default is 100 kB in express.raw(), 1 MiB in Fastify and 10 MiB in eventHandler.'
const sampleBasis =
  'Events (assumption): all items in data.data come from the source in data.source'
const sampleKey = 'Samples have no usable id: use user, resource, source and timestamp as the key.'

export const batchCases = defineCertifyCases('batch', basis, {
  large: {
    title: 'Accepts an event with 2,500 samples (about 350 kB)',
    remedy: size,
    run: accepts((userId) => heartRatesCreated(userId, heartRates(userId, 2_500))),
  },
  'large-stored': {
    title: 'Stores all records of an event with 2,500 nights (about 500 kB)',
    remedy: `Store every item of data.data, not only the first hundred or thousand. ${size}`,
    needs: ['probe'],
    async run(trial) {
      const nights = Array.from({ length: 2_500 }, () => bareNight(trial.userId))
      await trial.accept(sleepCreated(trial.userId, ...nights))
      await trial.expectStored(nights)
    },
  },
  empty: {
    title: 'Accepts an event without records',
    remedy: 'Handle an empty data.data: an insert statement without rows is invalid in SQL.',
    run: accepts((userId) => sleepCreated(userId)),
  },
  'empty-keeps': {
    title: 'Keeps stored records when an event without records arrives',
    remedy:
      "Add an event's records to the stored ones; do not delete the user's or the day's other records.",
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
    basis: 'Delivery (assumption): several events may contain the same record',
    remedy: 'Upsert records by id: insert … on conflict (id) do update.',
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
    title: 'Stores two records for the same day',
    basis: 'Summaries (assumption): a record has an id; a day can have several records',
    remedy:
      "Use the record's id as the key, not the user and the day: a nap and a night can share both.",
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
  'two-sources': bothStored('Stores samples from two sources with the same timestamp', [
    { resource: 'heartrate', source },
    { resource: 'heartrate', source: { provider: 'fitbit', type: 'watch', app_id: null } },
  ]),
  'two-series': bothStored('Stores samples of two resources with the same timestamp', [
    { resource: 'heartrate', source },
    { resource: 'hrv', source },
  ]),
})

interface Series {
  resource: string
  source: object
}

function bothStored(title: string, series: readonly Series[]): CaseDefinition {
  return {
    ...{ title, basis: sampleBasis, remedy: sampleKey, needs: ['probe'] },
    async run(trial) {
      // A receiver may ignore a resource or a source. First, send one sample of each series, at different times, to see
      // whether both are stored.
      const own = series.map(() => sampleOf(trial))
      for (const [at, one] of series.entries()) await send(trial, one, own.slice(at, at + 1))
      await trial.eventually(async () => {
        const counts = await countStored(trial, own)
        if (counts.some((count) => count === 0)) {
          throw new NotObservable('the probe does not return samples of both series')
        }
      })
      const common = sampleOf(trial)
      for (const [at, one] of series.entries()) {
        await send(trial, one, [{ ...common, value: 60 + at }])
      }
      await trial.eventually(async () => {
        const [count = 0] = await countStored(trial, [common])
        expectThat(
          count === series.length,
          `The receiver stored ${count} of ${series.length} samples with the same timestamp.`,
        )
      })
    },
  }
}

function sampleOf({ userId }: Trial): SentRecord {
  return heartRates(userId, 1)[0] ?? {}
}

async function countStored(trial: Trial, samples: readonly SentRecord[]): Promise<number[]> {
  const stored = await trial.stored()
  return samples.map((sample) => matchesOf(sample, stored).length)
}

async function send(trial: Trial, { resource, source }: Series, samples: readonly SentRecord[]) {
  const type = `daily.data.${resource}.created`
  await trial.accept(testDataEvent(type, trial.userId, samples, { source }))
}
