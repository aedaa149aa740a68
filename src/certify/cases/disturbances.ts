import { accepts, defineCertifyCases } from '../case.ts'
import { nightMessage, sleepCreated, sleepUpdated, testNight, timeAt } from '../events.ts'
import { expectThat } from '../expectation.ts'
import { eventMessage } from '../message.ts'

const endpointBasis =
  'Delivery (assumption): failed messages are delivered again after the endpoint is re-enabled'
const late =
  'Recognize duplicates by webhook-id and outdated records by updated_at. Do not reject old records: compare only webhook-timestamp, the time of the attempt, with the clock.'

const endpointCases = defineCertifyCases('endpoint', endpointBasis, {
  'old-records': {
    title: 'Accepts week-old records in a newly signed message',
    remedy: late,
    run: accepts((userId) => {
      const weekAgo = new Date(Date.now() - 7 * 86_400_000).toISOString()
      return sleepCreated(userId, testNight(userId, { created_at: weekAgo, updated_at: weekAgo }))
    }),
  },
  backlog: {
    title: 'Accepts a backlog of 40 messages at once after the endpoint is re-enabled',
    remedy:
      'Accept bursts: store the events and handle them in a job, or respond with a status that makes the service retry. Make sure that you eventually accept every message.',
    async run(trial) {
      const nights = Array.from({ length: 40 }, () => testNight(trial.userId))
      const messages = nights.map((night) => eventMessage(sleepCreated(trial.userId, night)))
      await trial.deliverTogether(messages)
      if (trial.settings.probe) await trial.expectStored(nights)
    },
  },
  'enabled-again': {
    title: 'Keeps the newest records when missed messages and duplicates arrive late',
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

const limitBasis = 'Delivery (assumption): a 2xx response within 15 seconds means success'
const slow =
  'Store the event, respond, and do slow work in a job. The service treats a response after 15 seconds as a failure and delivers the message again.'

const failureCases = defineCertifyCases('disturbance', limitBasis, {
  'slow-within': {
    title: 'Responds in time when handling takes half the time limit',
    remedy: slow,
    needs: ['delay'],
    async run(trial) {
      await trial.slowDown(trial.settings.timeout / 2)
      const night = testNight(trial.userId)
      await trial.accept(sleepCreated(trial.userId, night))
      if (trial.settings.probe) await trial.expectStored([night])
    },
  },
  'slow-beyond': {
    title: 'Handles a message only once when handling exceeds the time limit',
    remedy: `${slow} Do not handle a retry that arrives while the first delivery is being handled.`,
    needs: ['probe', 'delay'],
    async run(trial) {
      await trial.slowDown(trial.settings.timeout * 1.2)
      const night = testNight(trial.userId)
      const message = eventMessage(sleepCreated(trial.userId, night))
      await trial.deliver(message)
      await trial.expectStored([night])
      await trial.expectHandledOnce(message)
    },
  },
  failure: {
    title: 'Handles a retry after the first delivery failed',
    remedy:
      'Respond with a 5xx when handling fails. Store the data and mark the message as handled in one transaction.',
    needs: ['probe', 'failure'],
    async run(trial) {
      await trial.settings.simulate.failure?.()
      const night = testNight(trial.userId)
      await trial.deliver(eventMessage(sleepCreated(trial.userId, night)))
      await trial.expectStored([night])
    },
  },
  'not-json': {
    title: 'Accepts the next event after a signed body that is not JSON',
    basis: 'Robustness: an invalid message must not affect the next one',
    remedy: 'Catch the error that JSON.parse throws, and respond with 400.',
    async run(trial) {
      const reply = await trial.send(eventMessage('{"event_type": "daily.data.sleep.created", '))
      expectThat('status' in reply, `Expected a response, found ${trial.describe(reply)}.`)
      await trial.accept(nightMessage(trial))
    },
  },
})

export const disturbanceCases = [...endpointCases, ...failureCases]
