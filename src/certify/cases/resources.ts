import { lowerUuid } from '../../shared/narrow.ts'
import { type CaseDefinition, defineCertifyCases } from '../case.ts'
import type { SentRecord } from '../compare.ts'
import { heartRates, heartRatesCreated, source, testDataEvent, timeAt } from '../events.ts'
import type { Trial } from '../trial.ts'

const migration =
  'Respond with 2xx to the hypnogram events and to the sleep_cycle events that replace them. Store only one of the two.'
const migrationBasis = 'Specification part 9: hypnogram is replaced by sleep_cycle'

/** Cases about resources other than sleep. */
export const resourceCases = [
  ...defineCertifyCases('hypnogram', {
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
      title: 'Stores a sleep cycle once when all of its events arrive',
      basis: migrationBasis,
      remedy: `${migration} Write sleep cycles by their id.`,
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
  ...defineCertifyCases('resource', {
    'time-series': {
      title: 'Accepts a time series',
      basis: 'Specification part 6: one type per resource',
      remedy: 'Respond with 2xx to the events of all resources, even those that you ignore.',
      async run(trial) {
        await trial.accept(heartRatesCreated(trial.userId, heartRates(trial.userId, 10)))
      },
    },
    lab: {
      title: 'Accepts lab events',
      basis: 'Events (assumption): additional types',
      remedy: 'Respond with 2xx to lab order events, even if you ignore them.',
      async run(trial) {
        for (const event of labEvents(trial.userId)) await trial.accept(event)
      },
    },
  }),
]

function accepted(title: string, run: (trial: Trial) => Promise<unknown>): CaseDefinition {
  return {
    ...{ title, basis: migrationBasis, remedy: migration },
    async run(trial) {
      await run(trial)
    },
  }
}

async function sendHypnograms(trial: Trial): Promise<void> {
  const stages = [4, 2, 3].map((value, at) => ({
    timestamp: timeAt(at * 15 - 600),
    value,
    unit: 'stage',
    timezone_offset: null,
  }))
  for (const type of [
    'daily.timeseries.hypnogram.created',
    'historical.timeseries.hypnogram.created',
  ]) {
    await trial.accept(testDataEvent(type, trial.userId, stages))
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
  return [
    {
      event_type: 'labtest.order.created',
      user_id: userId,
      data: { id: orderId, user_id: userId, status: 'received', results: null },
    },
    {
      event_type: 'labtest.appointment.updated',
      user_id: userId,
      data: { id, user_id: userId, order_id: orderId, status: 'confirmed', events: [] },
    },
    {
      event_type: 'labtest.result.critical',
      user_id: userId,
      data: { order_id: orderId, user_id: userId, results: [{ slug: 'glucose', result: '300' }] },
    },
  ]
}
