import { expect, it } from 'vitest'
import { type DedupeStore, eventHandler } from '../../src/events/index.ts'
import { delivery, secret } from '../support/signed.ts'

/** How many handled messages a receiver remembers whose store cannot mark them as handled. */
const limit = 10_000

/** A receiver whose store forgets every message, because it cannot mark one as handled. */
function receiver() {
  const handled: string[] = []
  const store: DedupeStore = {
    claim: () => 'claimed',
    finish: () => {
      throw new Error('no connection')
    },
    release: () => {},
  }
  const receive = eventHandler({
    secrets: secret,
    dedupe: store,
    on: {},
    fallback: (_, { id }) => {
      handled.push(id)
    },
    onError: () => {},
  })
  const send = async (id: string) => receive(await delivery({ event_type: 'x.y' }, { id }))
  return { send, handled }
}

it('remembers a bounded number of messages that the store cannot mark, and forgets the oldest', async () => {
  const { send, handled } = receiver()
  for (let number = 0; number < limit; number += 1) await send(`msg_${number}`)
  expect(handled).toHaveLength(limit)
  const repeated = await send('msg_0')
  expect(await repeated.text()).toBe('Already handled')
  expect(handled).toHaveLength(limit)

  await send('msg_new')
  await send('msg_1')
  await send('msg_new')
  expect(handled.slice(limit)).toEqual(['msg_new'])
  await send('msg_0')
  expect(handled.slice(limit)).toEqual(['msg_new', 'msg_0'])
})
