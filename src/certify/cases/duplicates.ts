import { type CaseDefinition, defineCertifyCases } from '../case.ts'
import { matchesOf } from '../compare.ts'
import { heartRates, heartRatesCreated, sleepCreated, testNight } from '../events.ts'
import { expectThat, NotObservable } from '../expectation.ts'
import { type EventMessage, eventMessage, signMessage } from '../message.ts'
import { isAccepted } from '../receiver.ts'
import { type Trial, wait } from '../trial.ts'

const basis = 'Delivery (assumption): each message is delivered at least once'
const accept =
  'Respond with 2xx to a message that was handled before. Any other status makes the service deliver it again and eventually disable the endpoint.'
const once =
  "Store the message's id under a unique key in the transaction that handles the message, or use eventHandler with a dedupe store, and write records by their id."

type Send = (trial: Trial, message: EventMessage) => Promise<unknown>

/** How a message can arrive more than once. */
const ways: Record<string, { accepts: string; stores: string; send: Send }> = {
  sequential: {
    accepts: 'Accepts a duplicate of a handled message',
    stores: 'Handles a message once when it is delivered again',
    async send(trial, message) {
      const headers = await signMessage(message, trial.settings.secrets[0])
      for (let copy = 0; copy < 3; copy += 1) await trial.accept(message, headers)
    },
  },
  concurrent: {
    accepts: 'Accepts concurrent duplicates, at the latest when they are retried',
    stores: 'Handles a message once when its duplicates are concurrent',
    send: (trial, message) => trial.deliverTogether(Array.from({ length: 5 }, () => message)),
  },
  retried: {
    accepts: 'Accepts a retry, which has a later timestamp and a different signature',
    stores: 'Handles a message once when the retry has a different signature',
    async send(trial, message) {
      for (const seconds of [-120, -60, 0]) {
        const headers = await signMessage(message, trial.settings.secrets[0], seconds)
        await trial.accept(message, headers)
      }
    },
  },
  'lost-response': {
    accepts: 'Accepts a message again when its first response was lost',
    stores: 'Handles a message once when the first response was lost',
    async send(trial, message) {
      await cutOff(trial, message)
      await trial.deliver(message)
    },
  },
  late: {
    accepts: 'Accepts a duplicate after many other messages',
    stores: 'Handles a message once when its duplicate arrives after many others',
    async send(trial, message) {
      await trial.accept(message)
      const others = Array.from({ length: 30 }, () => testNight(trial.userId))
      for (const night of others) await trial.accept(sleepCreated(trial.userId, night))
      await trial.accept(message)
    },
  },
}

export const duplicateCases = defineCertifyCases('duplicate', {
  ...Object.fromEntries(Object.entries(ways).flatMap(([name, way]) => casesOf(name, way))),
  'same-time-series': {
    title: 'Stores the samples of a duplicate once',
    basis,
    remedy: `${once} Samples have no id: use user, resource, source and timestamp as the key.`,
    needs: ['probe'],
    async run(trial) {
      const samples = heartRates(trial.userId, 3)
      const message = await trial.accept(heartRatesCreated(trial.userId, samples))
      await trial.accept(message)
      await expectSamplesOnce(trial, samples)
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
        ...{ title: accepts, basis, remedy: accept },
        async run(trial) {
          await send(trial, eventMessage(sleepCreated(trial.userId, testNight(trial.userId))))
        },
      },
    ],
    [
      `${name}-once`,
      {
        ...{ title: stores, basis, remedy: once, needs: ['probe'] },
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

/** Sends a message and closes the connection without waiting for the response. */
async function cutOff(trial: Trial, message: EventMessage): Promise<void> {
  const cut = new AbortController()
  const reply = trial.send(message, undefined, cut.signal)
  await wait(Math.min(20, trial.settings.timeout / 10))
  cut.abort()
  // Treat the response as lost, even if it has already arrived.
  isAccepted(await reply)
}

async function expectSamplesOnce(
  trial: Trial,
  samples: ReturnType<typeof heartRates>,
): Promise<void> {
  await trial.eventually(async () => {
    const stored = await trial.stored()
    const counts = samples.map((sample) => matchesOf(sample, stored).length)
    if (!counts.some(Boolean)) {
      throw new NotObservable('the probe returns no heart rates with timestamps')
    }
    const wrong = counts.find((count) => count !== 1)
    expectThat(
      wrong === undefined,
      `Expected each sample to be stored once, but found one that was stored ${wrong} times.`,
    )
  })
}
