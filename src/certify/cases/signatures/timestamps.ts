import { type CaseDefinition, defineCertifyCases } from '../../case.ts'
import { sleepCreated, testNight } from '../../events.ts'
import { eventMessage, signMessage, signWithoutTime } from '../../message.ts'

const basis = 'Standard Webhooks (assumption): a tolerance of 5 minutes'
const remedy =
  'Compare webhook-timestamp with the current time in seconds, in both directions, and reject a difference of more than 300 seconds.'

/** A difference from the current time, in seconds, that exceeds the tolerance of 300 and allows for clock skew. */
const beyond = 320

export const timestampCases = defineCertifyCases('timestamp', {
  old: rejectedAt(-beyond, 'Rejects a message that was signed more than five minutes ago'),
  'very-old': rejectedAt(-86_400, 'Rejects a message that was signed yesterday'),
  future: rejectedAt(
    beyond,
    'Rejects a message that was signed more than five minutes in the future',
  ),
  tolerated: acceptedAt(-240, 'Accepts a message that was signed four minutes ago'),
  'clock-skew': acceptedAt(30, 'Accepts a message that was signed 30 seconds in the future'),
  'not-a-number': {
    title: 'Rejects a timestamp that is not a number',
    basis,
    remedy:
      'Check that webhook-timestamp contains only digits: NaN > 300 is false, so the age check passes.',
    async run(trial) {
      const message = eventMessage(sleepCreated(trial.userId, testNight(trial.userId)))
      await trial.reject(message, await signWithoutTime(message, trial.settings.secrets[0]))
    },
  },
})

function rejectedAt(seconds: number, title: string): CaseDefinition {
  return {
    ...{ title, basis, remedy },
    async run(trial) {
      const message = eventMessage(sleepCreated(trial.userId, testNight(trial.userId)))
      await trial.reject(message, await signMessage(message, trial.settings.secrets[0], seconds))
    },
  }
}

function acceptedAt(seconds: number, title: string): CaseDefinition {
  return {
    ...{ title, basis, remedy },
    async run(trial) {
      const message = eventMessage(sleepCreated(trial.userId, testNight(trial.userId)))
      await trial.accept(message, await signMessage(message, trial.settings.secrets[0], seconds))
    },
  }
}
