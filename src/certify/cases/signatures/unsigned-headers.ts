import { defineCertifyCases } from '../../case.ts'
import { sleepCreated, testNight } from '../../events.ts'
import { eventMessage, type MessageHeaders, renameToSvix, signMessage } from '../../message.ts'

const basis = 'Standard Webhooks (assumption): only the id, the timestamp and the body are signed'

/** Returns headers that proxies and services add, with new values on each call. */
function unsignedHeaders(): MessageHeaders {
  const names = [
    'request-id',
    'message-id',
    'event-id',
    'delivery-id',
    'correlation-id',
    'trace-id',
  ]
  const keys = [...names.map((name) => `x-${name}`), 'idempotency-key', 'x-idempotency-key', 'etag']
  return Object.fromEntries(keys.map((key) => [key, crypto.randomUUID()]))
}

/** Cases in which only the signed headers identify a message. */
export const unsignedHeaderCases = defineCertifyCases('duplicate', {
  'other-headers-once': {
    title: 'Handles a message once when the retry has different unsigned headers',
    basis,
    remedy:
      'Recognize duplicates by webhook-id, which is signed: an attacker can replay a message with different headers.',
    needs: ['probe'],
    async run(trial) {
      const night = testNight(trial.userId)
      const message = eventMessage(sleepCreated(trial.userId, night))
      for (let copy = 0; copy < 3; copy += 1) {
        const headers = await signMessage(message, trial.settings.secrets[0])
        await trial.accept(message, { ...headers, ...unsignedHeaders() })
      }
      await trial.expectStored([night])
      await trial.expectHandledOnce(message)
    },
  },
  'same-headers': {
    title: 'Handles two messages that differ only in their signed headers',
    basis,
    remedy: 'Recognize duplicates by webhook-id alone.',
    needs: ['probe'],
    async run(trial) {
      const nights = [testNight(trial.userId), testNight(trial.userId)]
      const others = unsignedHeaders()
      for (const night of nights) {
        const message = eventMessage(sleepCreated(trial.userId, night))
        const headers = await signMessage(message, trial.settings.secrets[0])
        await trial.accept(message, { ...headers, ...others })
      }
      await trial.expectStored(nights)
    },
  },
  'mixed-names-once': {
    title: 'Handles a message once when the id is signed under only one of the two header names',
    basis,
    remedy:
      'Recognize duplicates by the id that was verified, and read all headers with the same prefix.',
    needs: ['probe'],
    async run(trial) {
      const night = testNight(trial.userId)
      const message = eventMessage(sleepCreated(trial.userId, night))
      const signed = await signMessage(message, trial.settings.secrets[0])
      await trial.accept(message, { ...signed, ...renameToSvix(signed) })
      // The receiver may reject these messages, or treat them as duplicates.
      const ids = [eventMessage('').id, eventMessage('').id]
      for (const id of ids) {
        await trial.send(message, { ...signed, 'svix-id': id })
        await trial.send(message, { ...renameToSvix(signed), 'webhook-id': id })
      }
      await trial.expectStored([night])
      await trial.expectHandledOnce(message, ids)
    },
  },
})
