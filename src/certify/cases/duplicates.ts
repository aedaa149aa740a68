import { type CaseDefinition, defineCertifyCases } from '../case.ts'
import { matchesOf } from '../compare.ts'
import { heartRates, heartRatesCreated, nightMessage, sleepCreated, testNight } from '../events.ts'
import { expectThat, NotObservable } from '../expectation.ts'
import { type EventMessage, eventMessage, type MessageHeaders, renameToSvix } from '../message.ts'
import { type Trial, wait } from '../trial.ts'

const basis = 'Delivery (assumption): each message is delivered at least once'
const accept =
  'Respond with 2xx to a message that you have already handled. Any other status makes the service deliver it again.'
const once =
  "Insert the message's id into a unique column in the transaction that handles the message, or use eventHandler with a dedupe store. Upsert records by id."

const signedBasis =
  'Standard Webhooks (assumption): only the id, the timestamp and the body are signed'

type Send = (trial: Trial, message: EventMessage) => Promise<unknown>

/** Scenarios in which a message arrives more than once. */
const ways: Record<string, { accepts: string; stores: string; send: Send }> = {
  sequential: {
    accepts: 'Accepts a duplicate of a handled message',
    stores: 'Handles a message only once when it is delivered again',
    async send(trial, message) {
      const headers = await trial.sign(message)
      for (let copy = 0; copy < 3; copy += 1) await trial.accept(message, headers)
    },
  },
  concurrent: {
    accepts: 'Accepts concurrent duplicates, either immediately or when they are retried',
    stores: 'Handles a message only once when its duplicates are concurrent',
    send: (trial, message) => trial.deliverTogether(Array.from({ length: 5 }, () => message)),
  },
  retried: {
    accepts: 'Accepts a retry with a later timestamp and a different signature',
    stores: 'Handles a message only once when the retry has a different signature',
    async send(trial, message) {
      for (const seconds of [-120, -60, 0]) {
        const headers = await trial.sign(message, seconds)
        await trial.accept(message, headers)
      }
    },
  },
  'lost-response': {
    accepts: 'Accepts a retry after the first response was lost',
    stores: 'Handles a message only once when the first response was lost',
    async send(trial, message) {
      await cutOff(trial, message)
      await trial.deliver(message)
    },
  },
  late: {
    accepts: 'Accepts a duplicate after many other messages',
    stores: 'Handles a message only once when its duplicate arrives after many other messages',
    async send(trial, message) {
      await trial.accept(message)
      const others = Array.from({ length: 30 }, () => testNight(trial.userId))
      for (const night of others) await trial.accept(sleepCreated(trial.userId, night))
      await trial.accept(message)
    },
  },
}

export const duplicateCases = defineCertifyCases('duplicate', basis, {
  ...Object.fromEntries(Object.entries(ways).flatMap(([name, way]) => casesOf(name, way))),
  'same-time-series': {
    title: 'Stores samples once when their message is delivered twice',
    remedy: `${once} Samples have no usable id: use user, resource, source and timestamp as the key.`,
    needs: ['probe'],
    async run(trial) {
      const samples = heartRates(trial.userId, 3)
      const message = await trial.accept(heartRatesCreated(trial.userId, samples))
      await trial.accept(message)
      await expectSamplesOnce(trial, samples)
    },
  },
  'remembered-once': {
    title: 'Handles a message only once when it is delivered again at the end of the run',
    remedy: `${once} Keep the ids for at least 28 hours, the length of the retry schedule (assumption).`,
    needs: ['probe'],
    async run(trial) {
      const night = testNight(trial.userId)
      const message = await trial.accept(sleepCreated(trial.userId, night))
      await trial.expectStored([night])
      await trial.expectHandledOnce(message)
      trial.sendAgainAtEnd(message)
    },
  },
  'other-headers-once': {
    title: 'Handles a message only once when the retry has different unsigned headers',
    basis: signedBasis,
    remedy:
      'Recognize duplicates by webhook-id, which is signed: an attacker can replay a message with different unsigned headers.',
    needs: ['probe'],
    async run(trial) {
      const night = testNight(trial.userId)
      const message = eventMessage(sleepCreated(trial.userId, night))
      for (let copy = 0; copy < 3; copy += 1) {
        const headers = await trial.sign(message)
        await trial.accept(message, { ...headers, ...unsignedHeaders() })
      }
      await trial.expectStored([night])
      await trial.expectHandledOnce(message)
    },
  },
  'same-headers': {
    title: 'Handles each of two messages with the same unsigned headers',
    basis: signedBasis,
    remedy: 'Recognize duplicates by webhook-id alone.',
    needs: ['probe'],
    async run(trial) {
      const nights = [testNight(trial.userId), testNight(trial.userId)]
      const others = unsignedHeaders()
      for (const night of nights) {
        const message = eventMessage(sleepCreated(trial.userId, night))
        const headers = await trial.sign(message)
        await trial.accept(message, { ...headers, ...others })
      }
      await trial.expectStored(nights)
    },
  },
  'mixed-names-once': {
    title: 'Handles a message only once even if webhook-id and svix-id differ',
    basis: signedBasis,
    remedy:
      'Recognize duplicates by the verified id, and read the id, timestamp and signature from headers with the same prefix.',
    needs: ['probe'],
    async run(trial) {
      const night = testNight(trial.userId)
      const message = eventMessage(sleepCreated(trial.userId, night))
      const signed = await trial.sign(message)
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

function casesOf(
  name: string,
  { accepts, stores, send }: (typeof ways)[string],
): [string, CaseDefinition][] {
  return [
    [
      name,
      {
        ...{ title: accepts, remedy: accept },
        async run(trial) {
          await send(trial, nightMessage(trial))
        },
      },
    ],
    [
      `${name}-once`,
      {
        ...{ title: stores, remedy: once, needs: ['probe'] },
        async run(trial) {
          const night = testNight(trial.userId)
          const message = eventMessage(sleepCreated(trial.userId, night))
          await send(trial, message)
          await trial.expectStored([night])
          await trial.expectHandledOnce(message)
        },
      },
    ],
  ]
}

/** Sends a message and closes the connection after at most 20 ms. */
async function cutOff(trial: Trial, message: EventMessage): Promise<void> {
  const cut = new AbortController()
  const reply = trial.send(message, undefined, cut.signal)
  await wait(Math.min(20, trial.settings.timeout / 10))
  cut.abort()
  // Treat the response as lost, even if it has already arrived.
  await reply
}

async function expectSamplesOnce(
  trial: Trial,
  samples: ReturnType<typeof heartRates>,
): Promise<void> {
  await trial.eventually(async () => {
    const stored = await trial.stored()
    const counts = samples.map((sample) => matchesOf(sample, stored).length)
    if (!counts.some(Boolean)) {
      throw new NotObservable('the probe does not return heart rate samples with timestamps')
    }
    const wrong = counts.find((count) => count !== 1)
    expectThat(wrong === undefined, `The receiver stored a sample ${wrong} times instead of once.`)
  })
}

/** Returns headers that proxies and services may add, each with a random value. */
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
