import { type CaseDefinition, defineCases } from '../case.ts'
import { nightOf, sleepCreated } from '../events.ts'
import { messageOf, signMessage, signWithoutTime } from '../message.ts'

const basis = 'Standard Webhooks (assumption): a tolerance of 5 minutes'
const remedy =
  'Compare webhook-timestamp with the current time in seconds, in both directions, and reject more than 300 seconds.'

/** Cases about the timestamp of a message. */
export const timestampCases = defineCases('timestamp', {
  old: rejectedAt(-600, 'Rejects a message that was signed ten minutes ago'),
  'very-old': rejectedAt(-86_400, 'Rejects a message that was signed yesterday'),
  future: rejectedAt(600, 'Rejects a message that is signed ten minutes in the future'),
  tolerated: acceptedAt(-240, 'Accepts a message that was signed four minutes ago'),
  'clock-skew': acceptedAt(30, 'Accepts a message that is signed 30 seconds in the future'),
  'not-a-number': {
    title: 'Rejects a timestamp that is not a number',
    basis,
    remedy:
      'Check that webhook-timestamp has digits only: comparisons with NaN are false, so the check of the age passes.',
    async run(trial) {
      const message = messageOf(sleepCreated(trial.userId, nightOf(trial.userId)))
      await trial.reject(message, await signWithoutTime(message, trial.settings.secrets[0]))
    },
  },
})

function rejectedAt(seconds: number, title: string): CaseDefinition {
  return {
    ...{ title, basis, remedy },
    async run(trial) {
      const message = messageOf(sleepCreated(trial.userId, nightOf(trial.userId)))
      await trial.reject(message, await signMessage(message, trial.settings.secrets[0], seconds))
    },
  }
}

function acceptedAt(seconds: number, title: string): CaseDefinition {
  return {
    ...{ title, basis, remedy },
    async run(trial) {
      const message = messageOf(sleepCreated(trial.userId, nightOf(trial.userId)))
      await trial.accept(message, await signMessage(message, trial.settings.secrets[0], seconds))
    },
  }
}
