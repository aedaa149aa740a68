import { defineCertifyCases } from '../case.ts'
import { sleepCreated, testNight } from '../events.ts'
import { ReceiverFailure } from '../expectation.ts'
import { eventMessage } from '../message.ts'

const basis = 'Delivery (assumption): any 2xx within 15 seconds is success'
const slow =
  'Store the event, respond, and do slow work in a job. The service treats a response after 15 seconds as a failure and delivers the message again.'

/** Cases in which the receiver is slow or fails. */
export const disturbanceCases = defineCertifyCases('disturbance', {
  'slow-within': {
    title: 'Responds in time when handling takes half the limit',
    basis,
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
    title: 'Handles a message once when handling takes longer than the limit',
    basis,
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
    basis,
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
    basis: 'Robustness',
    remedy: 'Catch the error that JSON.parse throws, and respond with 400.',
    async run(trial) {
      const reply = await trial.send(eventMessage('{"event_type": "daily.data.sleep.created", '))
      const isReply = 'status' in reply
      if (!isReply)
        throw new ReceiverFailure(`Expected a response, found ${trial.describe(reply)}.`)
      await trial.accept(sleepCreated(trial.userId, testNight(trial.userId)))
    },
  },
})
