import { type CaseDefinition, defineCertifyCases } from '../case.ts'
import {
  connectionCreated,
  sleepCreated,
  sleepUpdated,
  testDataEvent,
  testNight,
  timeAt,
} from '../events.ts'
import { eventMessage } from '../message.ts'
import type { Trial } from '../trial.ts'

const basis = 'Delivery (assumption): no order is guaranteed'
const newest =
  'Keep the version with the later updated_at: on conflict (id) do update … where excluded.updated_at > nights.updated_at. Do not rely on the arrival order or the event type.'

const isoBasis = 'Specification, conventions: date-time means ISO 8601'
const asTime =
  'Compare updated_at as a time: use a timestamptz column, or Date.parse in JavaScript. Do not compare the strings, because their precision and offset may differ.'

export const eventOrderCases = defineCertifyCases('order', basis, {
  updated: {
    title: 'Applies an update to a stored record',
    basis: 'Specification part 6: *.updated events contain changed data values',
    remedy: 'Upsert the records of *.updated events by id.',
    needs: ['probe'],
    async run(trial) {
      const [night, updated] = updatedNight(trial)
      await trial.accept(sleepCreated(trial.userId, night))
      await trial.accept(sleepUpdated(trial.userId, updated))
      await trial.expectStored([updated], 'score')
    },
  },
  'newer-created': replaced(
    'Applies a newer version that arrives in a creation event',
    'daily.data.sleep.created',
  ),
  'newer-historical': replaced(
    'Applies a newer version that arrives in a historical event',
    'historical.data.sleep.created',
  ),
  'update-first': {
    title: 'Stores an update that arrives before the creation event',
    remedy:
      'If the record of an *.updated event is missing, insert it: its *.created event may arrive later.',
    needs: ['probe'],
    async run(trial) {
      const updated = testNight(trial.userId, { score: 82, updated_at: timeAt(10) })
      await trial.accept(sleepUpdated(trial.userId, updated))
      await trial.expectStored([updated], 'score')
    },
  },
  'created-after-updated': {
    title: 'Keeps an update when the creation event arrives after it',
    remedy: newest,
    needs: ['probe'],
    async run(trial) {
      const [night, updated] = updatedNight(trial)
      await trial.accept(sleepUpdated(trial.userId, updated))
      await trial.accept(sleepCreated(trial.userId, night))
      await trial.expectStored([updated], 'score')
    },
  },
  'stale-update': {
    title: 'Keeps the newer of two updates when the older arrives last',
    remedy: newest,
    needs: ['probe'],
    async run(trial) {
      const [night, newer] = updatedNight(trial)
      // One second older than the newer update.
      const stale = { ...night, score: 95, updated_at: timeAt(10 - 1 / 60) }
      await trial.accept(sleepCreated(trial.userId, night))
      await trial.accept(sleepUpdated(trial.userId, newer))
      await trial.accept(sleepUpdated(trial.userId, stale))
      await trial.expectStored([newer], 'score')
    },
  },
  'time-precision': comparesTimes(
    'Applies an update whose updated_at has a different precision',
    '2025-06-01T09:00:00Z',
    '2025-06-01T09:00:00.900Z',
  ),
  'time-offset': comparesTimes(
    'Applies an update whose updated_at has a different UTC offset',
    '2025-06-01T09:00:00Z',
    '2025-06-01T05:30:00-04:00',
  ),
  'stale-time-offset': {
    title: 'Keeps a newer version when an older one with a different UTC offset arrives',
    basis: isoBasis,
    remedy: asTime,
    needs: ['probe'],
    async run(trial) {
      const newer = testNight(trial.userId, { score: 82, updated_at: '2025-06-01T09:30:00Z' })
      const older = { ...newer, score: 70, updated_at: '2025-06-01T11:00:00+02:00' }
      await trial.accept(sleepUpdated(trial.userId, newer))
      await trial.accept(sleepUpdated(trial.userId, older))
      await trial.expectStored([newer], 'score')
    },
  },
  'tentative-last': {
    title: 'Keeps a confirmed night when the tentative one arrives after it',
    remedy: newest,
    needs: ['probe'],
    async run(trial) {
      const confirmed = testNight(trial.userId, { updated_at: timeAt(60) })
      const tentative = { ...confirmed, state: 'tentative', updated_at: timeAt(1) }
      await trial.accept(sleepUpdated(trial.userId, confirmed))
      await trial.accept(sleepCreated(trial.userId, tentative))
      await trial.expectStored([confirmed], 'state')
    },
  },
  'historical-first': {
    title: 'Accepts historical events that arrive before daily ones',
    basis:
      'Specification part 6: historical events are sent after all data chunks are fetched; no order is guaranteed (assumption)',
    remedy: 'Handle daily and historical events in the same way, regardless of their order.',
    async run(trial) {
      const [historical, daily] = [testNight(trial.userId), testNight(trial.userId)]
      const type = 'historical.data.sleep.created'
      await trial.accept(testDataEvent(type, trial.userId, [historical]))
      await trial.accept(sleepCreated(trial.userId, daily))
      if (trial.settings.probe) await trial.expectStored([historical, daily])
    },
  },
  'historical-overlap': {
    title: 'Stores a record once when historical and daily events contain it',
    basis: 'Delivery (assumption): several events may contain the same record',
    remedy: `Upsert records by id, regardless of the event type. ${newest}`,
    needs: ['probe'],
    async run(trial) {
      const [night, newer] = updatedNight(trial)
      await trial.accept(sleepCreated(trial.userId, newer))
      await trial.accept(testDataEvent('historical.data.sleep.created', trial.userId, [night]))
      await trial.expectStored([newer], 'score')
    },
  },
  'data-before-connection': {
    title: 'Accepts data that arrives before provider.connection.created',
    remedy: "Do not require provider.connection.created to arrive before the provider's data.",
    async run(trial) {
      await trial.accept(sleepCreated(trial.userId, testNight(trial.userId)))
      await trial.accept(connectionCreated(trial.userId))
    },
  },
  'concurrent-updates': {
    title: 'Keeps the newest of concurrent updates',
    remedy: `${newest} Compare and write in one statement, or lock the record first.`,
    needs: ['probe'],
    async run(trial) {
      const night = testNight(trial.userId)
      const updates = [9, 3, 7, 1, 5].map((minute) => {
        return { ...night, score: 90 - minute, updated_at: timeAt(minute) }
      })
      await trial.accept(sleepCreated(trial.userId, night))
      await trial.deliverTogether(
        updates.map((update) => eventMessage(sleepUpdated(trial.userId, update))),
      )
      await trial.expectStored(updates.slice(0, 1), 'score')
    },
  },
})

/** Returns a case that sends a newer version of a stored night in a `*.created` event. */
function replaced(title: string, type: string): CaseDefinition {
  return {
    title,
    basis: 'Delivery (assumption): records with the same id are versions of one record',
    remedy: `Do not ignore records with a known id in *.created events. ${newest}`,
    needs: ['probe'],
    async run(trial) {
      const [night, newer] = updatedNight(trial)
      await trial.accept(sleepCreated(trial.userId, night))
      await trial.accept(testDataEvent(type, trial.userId, [newer]))
      await trial.expectStored([newer], 'score')
    },
  }
}

/** Returns a case in which comparing `earlier` and `later` as strings produces the wrong order. */
function comparesTimes(title: string, earlier: string, later: string): CaseDefinition {
  return {
    ...{ title, basis: isoBasis, remedy: asTime, needs: ['probe'] },
    async run(trial) {
      const night = testNight(trial.userId, { updated_at: earlier })
      const updated = { ...night, score: 82, updated_at: later }
      await trial.accept(sleepCreated(trial.userId, night))
      await trial.accept(sleepUpdated(trial.userId, updated))
      await trial.expectStored([updated], 'score')
    },
  }
}

function updatedNight({ userId }: Trial) {
  const night = testNight(userId)
  return [night, { ...night, score: 82, updated_at: timeAt(10) }] as const
}
