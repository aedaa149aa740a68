import { type CaseDefinition, defineCertifyCases } from '../../case.ts'
import { nightMessage } from '../../events.ts'
import {
  type EventMessage,
  type MessageHeaders,
  renameToSvix,
  signMessage,
  signWithoutTime,
  unknownSecret,
} from '../../message.ts'

const basis = 'Standard Webhooks (assumption)'
const severalSignatures =
  'Split webhook-signature at spaces, ignore unknown versions, and accept the message only if at least one signature is valid.'
const svixNames =
  'Read svix-id, svix-timestamp and svix-signature when the webhook- headers are missing. If every message has both sets of headers, exclude the case svix/names with the skip option.'
const bothSecrets =
  'Give the receiver both secrets until retries signed with the old secret have stopped: secrets: [oldSecret, newSecret].'

const timeBasis = 'Standard Webhooks (assumption): a tolerance of 5 minutes'
const checkAge =
  'webhook-timestamp is a Unix timestamp in seconds. Reject a message if this time is more than 300 seconds in the past or future.'

/** A timestamp offset in seconds. It exceeds the tolerance of 300 by a margin for clock skew. */
const beyond = 320

export const headerCases = [
  ...defineCertifyCases('rotation', basis, {
    'new-signature-first': accepted(
      'Accepts a valid signature followed by one made with a different secret',
      {
        sign: (message, secret) => signMessage(message, [secret, unknownSecret()]),
      },
    ),
    'new-signature-last': accepted(
      'Accepts a valid signature preceded by one made with a different secret',
      {
        sign: (message, secret) => signMessage(message, [unknownSecret(), secret]),
      },
    ),
    'unknown-version': accepted('Accepts a valid signature next to one with an unknown version', {
      async sign(message, secret) {
        const headers = await signMessage(message, secret)
        const { 'webhook-signature': signature } = headers
        return { ...headers, 'webhook-signature': `v1a,${'A'.repeat(86)}== ${signature}` }
      },
    }),
    'wrong-signatures': {
      title: 'Rejects a message with several signatures that are all invalid',
      remedy: severalSignatures,
      async run(trial) {
        const message = nightMessage(trial)
        const secrets = [unknownSecret(), unknownSecret()]
        await trial.reject(message, await signMessage(message, secrets))
      },
    },
    'each-secret': {
      title: "Accepts messages signed with any of the endpoint's secrets",
      remedy: bothSecrets,
      needs: ['secrets'],
      async run(trial) {
        for (const secret of trial.settings.secrets) {
          const message = nightMessage(trial)
          await trial.accept(message, await signMessage(message, secret))
        }
      },
    },
  }),
  ...defineCertifyCases('svix', basis, {
    names: accepted('Accepts a message whose headers begin with svix-', {
      remedy: svixNames,
      sign: async (message, secret) => renameToSvix(await signMessage(message, secret)),
    }),
    'both-names': accepted('Accepts a message that has each header with both prefixes', {
      remedy: svixNames,
      async sign(message, secret) {
        const headers: MessageHeaders = await signMessage(message, secret)
        return { ...headers, ...renameToSvix(headers) }
      },
    }),
    'upper-case': accepted('Accepts header names in mixed case', {
      remedy: 'Read header names case-insensitively: a proxy may send Webhook-Id.',
      sign: async (message, secret) =>
        Object.fromEntries(
          Object.entries(await signMessage(message, secret)).map(([name, value]) => [
            name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
            value,
          ]),
        ),
    }),
    'wrong-secret': {
      title: 'Rejects a signature made with a different secret in headers that begin with svix-',
      remedy: 'Verify the signature in the same way for both header prefixes.',
      async run(trial) {
        const message = nightMessage(trial)
        await trial.reject(message, renameToSvix(await signMessage(message, unknownSecret())))
      },
    },
  }),
  ...defineCertifyCases('timestamp', timeBasis, {
    old: signedAt(
      -beyond,
      'reject',
      'Rejects a message whose timestamp is more than five minutes old',
    ),
    'very-old': signedAt(-86_400, 'reject', 'Rejects a message whose timestamp is a day old'),
    future: signedAt(
      beyond,
      'reject',
      'Rejects a message whose timestamp is more than five minutes in the future',
    ),
    tolerated: signedAt(-240, 'accept', 'Accepts a message whose timestamp is four minutes old'),
    'clock-skew': signedAt(
      30,
      'accept',
      'Accepts a message whose timestamp is 30 seconds in the future',
    ),
    'not-a-number': {
      title: 'Rejects a message whose timestamp is not a number',
      remedy:
        'Check that webhook-timestamp contains only digits. Otherwise, NaN passes the age check.',
      async run(trial) {
        const message = nightMessage(trial)
        await trial.reject(message, await signWithoutTime(message, trial.settings.secrets[0]))
      },
    },
  }),
]

interface Acceptance {
  remedy?: string
  sign: (message: EventMessage, secret: string) => Promise<MessageHeaders>
}

function accepted(title: string, { remedy = severalSignatures, sign }: Acceptance): CaseDefinition {
  return {
    ...{ title, remedy },
    async run(trial) {
      const message = nightMessage(trial)
      await trial.accept(message, await sign(message, trial.settings.secrets[0]))
    },
  }
}

function signedAt(seconds: number, treatment: 'accept' | 'reject', title: string): CaseDefinition {
  return {
    ...{ title, remedy: checkAge },
    async run(trial) {
      const message = nightMessage(trial)
      await trial[treatment](message, await trial.sign(message, seconds))
    },
  }
}
