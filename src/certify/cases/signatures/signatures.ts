import { type CaseDefinition, defineCertifyCases } from '../../case.ts'
import {
  connectionCreated,
  heartRates,
  heartRatesCreated,
  nightMessage,
  sleepCreated,
  testNight,
} from '../../events.ts'
import { ReceiverFailure } from '../../expectation.ts'
import {
  type EventMessage,
  eventMessage,
  type MessageHeaders,
  signMessage,
  unknownSecret,
} from '../../message.ts'
import { isAccepted, isTimeout, type ReceiverReply } from '../../receiver.ts'
import type { Trial } from '../../trial.ts'

const basis = 'Standard Webhooks (assumption)'
const verify =
  'Verify each request with eventHandler or verifyEvent from health-lab-sdk/events before you use its body.'

/** Changes to a signed message's headers or body. The receiver must reject the result. */
const forgeries: Record<string, { title: string; remedy?: string; forge: Forge }> = {
  'wrong-secret': {
    title: 'Rejects a signature made with a different secret',
    forge: async (message) => ({ headers: await signMessage(message, unknownSecret()) }),
  },
  'changed-body': {
    title: 'Rejects a body that was changed after signing',
    forge: (message, headers) => ({
      headers,
      body: message.body.replace('"score":70', '"score":71'),
    }),
  },
  'changed-id': {
    title: 'Rejects an id that was changed after signing',
    remedy:
      'Compute the signature over `id.timestamp.body`, not the body alone. Otherwise, a replay with a new id is handled again.',
    forge: (_, headers) => ({ headers: { ...headers, 'webhook-id': eventMessage('').id } }),
  },
  'changed-timestamp': {
    title: 'Rejects a timestamp that was changed after signing',
    remedy:
      'Compute the signature over `id.timestamp.body`. Otherwise, an old message can be replayed with a new timestamp.',
    forge: (_, headers) => ({
      headers: { ...headers, 'webhook-timestamp': `${Number(headers['webhook-timestamp']) - 1}` },
    }),
  },
  truncated: {
    title: 'Rejects the beginning of a valid signature',
    remedy:
      'Compare the complete signature in constant time, with crypto.timingSafeEqual or verifyEvent.',
    forge: (_, headers) => withSignature(headers, (signature) => signature.slice(0, 20)),
  },
  'changed-case': {
    title: 'Rejects a signature whose letter case was changed',
    remedy: 'Compare signatures exactly: base64 is case-sensitive.',
    forge: (_, headers) =>
      withSignature(headers, (signature) => `v1,${swapCase(signature.slice(3))}`),
  },
  empty: {
    title: 'Rejects an empty signature',
    forge: (_, headers) => withSignature(headers, () => 'v1,'),
  },
  'other-version': {
    title: 'Rejects a signature of a different version',
    remedy: 'Check only signatures that begin with `v1,`. Ignore the others.',
    forge: (_, headers) => withSignature(headers, (signature) => signature.replace('v1,', 'v2,')),
  },
  'missing-version': {
    title: 'Rejects a signature without a version',
    remedy: 'Check only signatures that begin with `v1,`. Ignore the others.',
    forge: (_, headers) => withSignature(headers, (signature) => signature.slice(3)),
  },
  'missing-signature': {
    title: 'Rejects a message without webhook-signature',
    forge: (_, headers) => ({ headers: without(headers, 'webhook-signature') }),
  },
  'missing-id': {
    title: 'Rejects a message without webhook-id',
    forge: (_, headers) => ({ headers: without(headers, 'webhook-id') }),
  },
  'missing-timestamp': {
    title: 'Rejects a message without webhook-timestamp',
    forge: (_, headers) => ({ headers: without(headers, 'webhook-timestamp') }),
  },
  'missing-headers': {
    title: 'Rejects a message without any signature headers',
    forge: () => ({ headers: { 'content-type': 'application/json' } }),
  },
}

type Forgery = { headers: MessageHeaders; body?: string }
type Forge = (message: EventMessage, headers: MessageHeaders) => Forgery | Promise<Forgery>

const forgeryCases = Object.entries(forgeries).map(
  ([name, { title, remedy = verify, forge }]): [string, CaseDefinition] => [
    name,
    {
      ...{ title, remedy },
      async run(trial) {
        const message = nightMessage(trial)
        const signed = await trial.sign(message)
        const { headers, body = message.body } = await forge(message, { ...signed })
        await trial.reject({ ...message, body }, headers)
      },
    },
  ],
)

export const signatureCases = defineCertifyCases('signature', basis, {
  valid: {
    title: 'Accepts a signed event',
    remedy:
      "Check the URL and the receiver's secret. Make sure that no parser reads the body before the signature is verified.",
    async run(trial) {
      const reply = await trial.send(nightMessage(trial))
      if (isAccepted(reply)) return
      const found = `Expected a 2xx response, found ${trial.describe(reply)}.`
      const replies = [reply]
      for (const [type, event] of otherEvents(trial)) {
        // Stop after two timeouts, because each takes the full time limit.
        if (replies.filter(isTimeout).length > 1) break
        const other = await trial.send(eventMessage(event))
        replies.push(other)
        if (!isAccepted(other)) continue
        trial.isTrusted = true
        throw new ReceiverFailure(
          `${found} The receiver accepts ${type}, so it has the correct secret.`,
          unhandled,
        )
      }
      trial.isTrusted = replies.some(isUnhandled)
      if (!trial.isTrusted) throw new ReceiverFailure(found)
      const others = [...new Set(replies.slice(1).map((one) => trial.describe(one)))].join(', ')
      throw new ReceiverFailure(
        `${found} Other events: ${others}. The secret is probably correct: a wrong secret usually causes a 401.`,
        unhandled,
      )
    },
  },
  ...Object.fromEntries(forgeryCases),
  'forged-then-genuine': {
    title: 'Handles a genuine message after a forgery with the same id',
    remedy: "Verify the signature before you store the message's id.",
    async run(trial) {
      const night = testNight(trial.userId)
      const message = eventMessage(sleepCreated(trial.userId, night))
      await trial.reject(message, await signMessage(message, unknownSecret()))
      await trial.accept(message)
      if (trial.settings.probe) await trial.expectStored([night])
    },
  },
})

const unhandled =
  "Look for the error in the receiver's log. If the receiver accepts only known users, pass the user option, or --user on the command line."

/** Returns whether the receiver probably failed because of the event rather than its signature. */
function isUnhandled(reply: ReceiverReply): boolean {
  if (!('status' in reply)) return reply.failure === 'threw'
  return reply.status >= 500 || reply.status === 422
}

/** Returns other events, which a receiver that rejects the first event may accept. */
function otherEvents({ userId }: Trial): [type: string, event: object][] {
  return [
    ['an event without records', sleepCreated(userId)],
    ['heart rates', heartRatesCreated(userId, heartRates(userId, 1))],
    ['a new connection', connectionCreated(userId)],
  ]
}

function withSignature(headers: MessageHeaders, change: (signature: string) => string): Forgery {
  const signature = headers['webhook-signature'] ?? ''
  return { headers: { ...headers, 'webhook-signature': change(signature) } }
}

function without(headers: MessageHeaders, name: string): MessageHeaders {
  const { [name]: _, ...others } = headers
  return others
}

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const upper = letter.toUpperCase()
    return letter === upper ? letter.toLowerCase() : upper
  })
}
