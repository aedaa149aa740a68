import { defineCertifyCases } from '../case.ts'
import { sleepCreated, sleepUpdated, testNight, timeAt } from '../events.ts'
import { eventMessage } from '../message.ts'

const basis =
  'Delivery (assumption): failed messages are delivered again after the endpoint is enabled'
const late =
  'Recognize duplicates by id and outdated records by updated_at. Do not reject old records: compare only webhook-timestamp, the time of the attempt, with the clock.'

/** Cases about an endpoint that was disabled and then re-enabled. */
export const endpointCases = defineCertifyCases('endpoint', {
  'old-records': {
    title: 'Accepts week-old records in a newly signed message',
    basis,
    remedy: late,
    async run(trial) {
      const weekAgo = new Date(Date.now() - 7 * 86_400_000).toISOString()
      const night = testNight(trial.userId, { created_at: weekAgo, updated_at: weekAgo })
      await trial.accept(sleepCreated(trial.userId, night))
    },
  },
  backlog: {
    title: 'Accepts the backlog of 40 messages at once after the endpoint is enabled',
    basis,
    remedy:
      'Accept bursts: store the events and handle them in a job, or respond with a status that makes the service retry. Every message must eventually be accepted.',
    async run(trial) {
      const nights = Array.from({ length: 40 }, () => testNight(trial.userId))
      const messages = nights.map((night) => eventMessage(sleepCreated(trial.userId, night)))
      await trial.deliverTogether(messages)
      if (trial.settings.probe) await trial.expectStored(nights)
    },
  },
  'enabled-again': {
    title: 'Keeps the newest records when missed messages and duplicates arrive late',
    basis,
    remedy: late,
    needs: ['probe'],
    async run(trial) {
      const night = testNight(trial.userId)
      const missed = { ...night, score: 75, updated_at: timeAt(5) }
      const newest = { ...night, score: 82, updated_at: timeAt(10) }
      const handled = await trial.accept(sleepCreated(trial.userId, night))
      // The first update was missed while the endpoint was disabled, so the second one arrives first.
      await trial.accept(sleepUpdated(trial.userId, newest))
      await trial.accept(sleepUpdated(trial.userId, missed))
      await trial.accept(handled)
      await trial.expectStored([newest], 'score')
      await trial.expectHandledOnce(handled)
    },
  },
})
