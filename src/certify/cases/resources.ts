import { lowerUuid } from '../../shared/narrow.ts'
import { accepts, type CaseDefinition, defineCertifyCases } from '../case.ts'
import type { SentRecord } from '../compare.ts'
import { heartRates, heartRatesCreated, source, testDataEvent, timeAt } from '../events.ts'
import type { Trial } from '../trial.ts'

const migration =
  'Respond with 2xx to the hypnogram events and to the sleep_cycle events that replace them. Store only one of the two kinds.'
const migrationBasis = 'Specification part 9: hypnogram is replaced by sleep_cycle'

export const resourceCases = [
  ...defineCertifyCases('hypnogram', migrationBasis, {
    deprecated: accepted('Accepts the deprecated hypnogram events', sendHypnograms),
    'sleep-cycle': accepted('Accepts the sleep cycle events', (trial) =>
      sendSleepCycles(trial, sleepCycleOf(trial.userId)),
    ),
    both: accepted('Accepts hypnogram and sleep cycle events for the same night', async (trial) => {
      await sendHypnograms(trial)
      await sendSleepCycles(trial, sleepCycleOf(trial.userId))
      await sendHypnograms(trial)
    }),
    once: {
      title: 'Stores a sleep cycle once when several events contain it',
      remedy: `${migration} Upsert sleep cycles by id.`,
      needs: ['probe'],
      async run(trial) {
        const cycle = sleepCycleOf(trial.userId)
        await sendHypnograms(trial)
        await sendSleepCycles(trial, cycle)
        const isStored = (await trial.stored()).some(({ id }) => lowerUuid(id) === cycle['id'])
        if (isStored) await trial.expectStored([cycle])
      },
    },
  }),
  ...defineCertifyCases('resource', 'Specification part 6: each resource has its own event types', {
    'time-series': {
      title: 'Accepts a time series',
      remedy: 'Respond with 2xx to events about all resources, even if you ignore them.',
      run: accepts((userId) => heartRatesCreated(userId, heartRates(userId, 10))),
    },
    lab: {
      title: 'Accepts events about lab orders',
      basis: 'Events (assumption): additional types',
      remedy: 'Respond with 2xx to lab order events, even if you ignore them.',
      async run(trial) {
        for (const event of labEvents(trial.userId)) await trial.accept(event)
      },
    },
  }),
]

function accepted(title: string, run: CaseDefinition['run']): CaseDefinition {
  return { title, remedy: migration, run }
}

async function sendHypnograms(trial: Trial): Promise<void> {
  const stages = [4, 2, 3].map((value, at) => ({
    timestamp: timeAt(at * 15 - 600),
    value,
    unit: 'stage',
    timezone_offset: null,
  }))
  for (const kind of ['daily', 'historical']) {
    await trial.accept(testDataEvent(`${kind}.timeseries.hypnogram.created`, trial.userId, stages))
  }
}

async function sendSleepCycles(trial: Trial, cycle: SentRecord): Promise<void> {
  const updated = { ...cycle, updated_at: timeAt(0) }
  const { userId } = trial
  await trial.accept(testDataEvent('daily.data.sleep_cycle.created', userId, [cycle]))
  await trial.accept(testDataEvent('daily.data.sleep_cycle.updated', userId, [updated]))
  await trial.accept(testDataEvent('historical.data.sleep_cycle.created', userId, [updated]))
}

function sleepCycleOf(userId: string): SentRecord {
  return {
    id: crypto.randomUUID(),
    user_id: userId,
    sleep_id: crypto.randomUUID(),
    session_start: timeAt(-600),
    session_end: timeAt(-60),
    stage_start_offset_second: [0, 960],
    stage_end_offset_second: [960, 1380],
    stage_type: ['awake', 'light'],
    source,
    created_at: timeAt(0),
    updated_at: timeAt(0),
  }
}

function labEvents(userId: string): object[] {
  const [orderId, id] = [crypto.randomUUID(), crypto.randomUUID()]
  const labEvent = (type: string, data: object) => ({
    event_type: `labtest.${type}`,
    user_id: userId,
    data: { user_id: userId, ...data },
  })
  return [
    labEvent('order.created', { id: orderId, status: 'received', results: null }),
    labEvent('appointment.updated', { id, order_id: orderId, status: 'confirmed', events: [] }),
    labEvent('result.critical', {
      order_id: orderId,
      results: [{ slug: 'glucose', result: '300' }],
    }),
  ]
}
