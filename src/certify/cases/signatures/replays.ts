import { type CaseDefinition, defineCertifyCases } from '../../case.ts'
import {
  connectionCreated,
  connectionFailed,
  heartRates,
  heartRatesCreated,
  nightMessage,
  sleepUpdated,
  testDataEvent,
  testNight,
} from '../../events.ts'
import {
  type EventMessage,
  eventMessage,
  type MessageHeaders,
  renameToSvix,
  signMessage,
  unknownSecret,
} from '../../message.ts'
import type { Trial } from '../../trial.ts'

const basis = 'Standard Webhooks (assumption)'

/** The age of a replayed message in seconds. */
const age = 3_600

export const replayCases = [
  ...defineCertifyCases('timestamp', basis, {
    'old-svix': rejected('Rejects an old message whose headers begin with svix-', {
      remedy: 'Check the age of a message for both header prefixes.',
      forge: async (message, secret) => [renameToSvix(await signMessage(message, secret, -age))],
    }),
    'mixed-names': rejected(
      'Rejects an old message with the current time under the other header prefix',
      {
        remedy:
          'Compare the signed timestamp with the clock, and read all headers with the same prefix.',
        async forge(message, secret) {
          const old = await signMessage(message, secret, -age)
          const now = `${Math.floor(Date.now() / 1000)}`
          return [
            { ...old, 'svix-timestamp': now },
            { ...renameToSvix(old), 'webhook-timestamp': now },
          ]
        },
      },
    ),
  }),
  ...defineCertifyCases('signature', basis, {
    'derived-secret': rejected('Rejects a signature made with an incorrectly decoded secret', {
      remedy:
        'Decode the part after whsec_ as base64, exactly once. A secret that is decoded twice is shorter, and may be empty.',
      forge: (message, secret) =>
        Promise.all(otherKeys(secret).map((key) => signMessage(message, `whsec_${btoa(key)}`))),
    }),
    'each-type': {
      title: 'Rejects forged updates, historical events, time series and connection events',
      remedy: 'Verify the signature before you read the event type.',
      async run(trial) {
        for (const event of otherTypes(trial)) {
          const message = eventMessage(event)
          await trial.reject(message, await signMessage(message, unknownSecret()))
        }
      },
    },
    'no-body': {
      title: 'Rejects an empty body with the signature of the original body',
      remedy: 'Verify an empty body like any other body.',
      async run(trial) {
        const message = nightMessage(trial)
        const headers = await trial.sign(message)
        await trial.reject({ ...message, body: '' }, headers)
      },
    },
  }),
]

interface Rejection {
  remedy: string
  forge: (message: EventMessage, secret: string) => Promise<MessageHeaders[]>
}

function rejected(title: string, { remedy, forge }: Rejection): CaseDefinition {
  return {
    ...{ title, remedy },
    async run(trial) {
      const message = nightMessage(trial)
      const forged = await forge(message, trial.settings.secrets[0])
      for (const headers of forged) await trial.reject(message, headers)
    },
  }
}

/** Returns binary strings: the keys that a receiver may derive from a secret by mistake. */
function otherKeys(secret: string): string[] {
  const base64 = secret.replace(/^whsec_/, '')
  const key = atob(base64)
  const twice = decodeLeniently(key)
  return [secret, base64, decodeLeniently(secret), twice].filter(
    (other) => other !== key && other !== '',
  )
}

/** Decodes base64 and skips invalid characters, as many decoders do. */
function decodeLeniently(text: string): string {
  const digits = text.replace(/[^A-Za-z0-9+/]/g, '')
  return atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits)
}

function otherTypes({ userId }: Trial): object[] {
  return [
    sleepUpdated(userId, testNight(userId)),
    testDataEvent('historical.data.sleep.created', userId, [testNight(userId)]),
    heartRatesCreated(userId, heartRates(userId, 2)),
    connectionCreated(userId),
    connectionFailed(userId),
  ]
}
