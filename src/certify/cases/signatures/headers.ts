import { type CaseDefinition, defineCertifyCases } from '../../case.ts'
import { sleepCreated, testNight } from '../../events.ts'
import {
  eventMessage,
  type MessageHeaders,
  renameToSvix,
  signMessage,
  unknownSecret,
} from '../../message.ts'

const basis = 'Standard Webhooks (assumption)'
const severalSignatures =
  'Split webhook-signature at spaces, ignore unknown versions, and accept the message if any signature is valid.'
const svixNames =
  'Read svix-id, svix-timestamp and svix-signature when the headers that begin with webhook- are missing. Skip the case svix/names if your endpoint receives both.'
const bothSecrets =
  'Give the receiver both secrets until retries signed with the old secret have stopped: secrets: [oldSecret, newSecret].'

/** Cases about multiple signatures, multiple secrets and alternative header names. */
export const headerCases = [
  ...defineCertifyCases('rotation', {
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
    'unknown-version': accepted('Accepts a valid signature next to one of an unknown version', {
      async sign(message, secret) {
        const headers = await signMessage(message, secret)
        const { 'webhook-signature': signature } = headers
        return { ...headers, 'webhook-signature': `v1a,${'A'.repeat(86)}== ${signature}` }
      },
    }),
    'wrong-signatures': {
      title: 'Rejects several signatures when none is valid',
      basis,
      remedy: severalSignatures,
      async run(trial) {
        const message = newMessage(trial)
        const secrets = [unknownSecret(), unknownSecret()]
        await trial.reject(message, await signMessage(message, secrets))
      },
    },
    'each-secret': {
      title: 'Accepts messages signed with any of its secrets',
      basis,
      remedy: bothSecrets,
      needs: ['secrets'],
      async run(trial) {
        for (const secret of trial.settings.secrets) {
          const message = newMessage(trial)
          await trial.accept(message, await signMessage(message, secret))
        }
      },
    },
  }),
  ...defineCertifyCases('svix', {
    names: accepted('Accepts a message whose headers begin with svix-', {
      remedy: svixNames,
      sign: async (message, secret) => renameToSvix(await signMessage(message, secret)),
    }),
    'both-names': accepted('Accepts a message with each header under both names', {
      remedy: svixNames,
      async sign(message, secret) {
        const headers: MessageHeaders = await signMessage(message, secret)
        return { ...headers, ...renameToSvix(headers) }
      },
    }),
    'upper-case': accepted('Accepts header names with capital letters', {
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
      basis,
      remedy: 'Verify the signature in the same way for both header names.',
      async run(trial) {
        const message = newMessage(trial)
        await trial.reject(message, renameToSvix(await signMessage(message, unknownSecret())))
      },
    },
  }),
]

interface Acceptance {
  remedy?: string
  sign: (message: ReturnType<typeof eventMessage>, secret: string) => Promise<MessageHeaders>
}

function accepted(title: string, { remedy = severalSignatures, sign }: Acceptance): CaseDefinition {
  return {
    ...{ title, basis, remedy },
    async run(trial) {
      const message = newMessage(trial)
      await trial.accept(message, await sign(message, trial.settings.secrets[0]))
    },
  }
}

function newMessage({ userId }: { userId: string }) {
  return eventMessage(sleepCreated(userId, testNight(userId)))
}
