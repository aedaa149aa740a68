import { type CaseDefinition, defineCertifyCases } from '../case.ts'
import { matchesOf, type SentRecord } from '../compare.ts'
import { heartRates, testDataEvent } from '../events.ts'
import { expectThat, NotObservable } from '../expectation.ts'
import type { Trial } from '../trial.ts'

const basis = "Specification part 6: data.data belongs to the event's source (assumption)"
const key = 'Samples have no id: use user, resource, source and timestamp as the key.'

/** Cases about different samples with the same timestamp. */
export const sampleCases = defineCertifyCases('batch', {
  'two-sources': bothStored('Stores samples from two sources with the same timestamp', [
    { resource: 'heartrate', source: { provider: 'oura', type: 'ring', app_id: null } },
    { resource: 'heartrate', source: { provider: 'fitbit', type: 'watch', app_id: null } },
  ]),
  'two-series': bothStored('Stores the samples of two resources with the same timestamp', [
    { resource: 'heartrate', source: { provider: 'oura', type: 'ring', app_id: null } },
    { resource: 'hrv', source: { provider: 'oura', type: 'ring', app_id: null } },
  ]),
})

interface Series {
  resource: string
  source: object
}

function bothStored(title: string, series: readonly Series[]): CaseDefinition {
  return {
    ...{ title, basis, remedy: key, needs: ['probe'] },
    async run(trial) {
      // A receiver may ignore a resource. First, send one sample of each series, at different times, to see whether both
      // are stored.
      const own = series.map(() => sampleOf(trial))
      for (const [at, one] of series.entries()) await send(trial, one, own.slice(at, at + 1))
      await trial.eventually(async () => {
        const counts = await countStored(trial, own)
        if (counts.some((count) => count === 0)) {
          throw new NotObservable('the probe does not return the samples of both series')
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
          `Expected the samples of both series to be stored, found ${count} of ${series.length}.`,
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
