import { describe, expect, it } from 'vitest'
import type { Store, WriteIntent } from '../../src/stores/index.ts'
import { useServers } from '../support/stores.ts'

const { stores } = useServers()

/** An intent at the time 1,000, held for a second. */
function intent(changes: Partial<WriteIntent> = {}): WriteIntent {
  const held = { token: 'a', now: 1000, heldUntil: 2000 }
  return { id: 'one', operation: 'orders.create', input: 'hash', progress: '', ...held, ...changes }
}

/** The end of the first attempt. */
const end = { id: 'one', attempt: 'a', outcome: '{"order":1}', now: 1500 }

describe.each(stores)('a store in $name', ({ isThere, make }) => {
  const test = it.skipIf(!isThere)
  const using = (run: (store: Store) => Promise<void>) => async () => run(await make())

  test(
    'lets one claim a message, until it is released',
    using(async (store) => {
      expect(await store.claim('m', 'a')).toBe('claimed')
      expect(await store.claim('m', 'b')).toBe('busy')
      await store.release('m', 'b')
      expect(await store.claim('m', 'b')).toBe('busy')
      await store.release('m', 'a')
      expect(await store.claim('m', 'b')).toBe('claimed')
    }),
  )

  test(
    'remembers a handled message',
    using(async (store) => {
      await store.claim('m', 'a')
      expect(await store.finish('m', 'b')).toBe(false)
      expect(await store.finish('m', 'a')).toBe(true)
      expect(await store.finish('m', 'b')).toBe(true)
      await store.release('m', 'a')
      expect(await store.claim('m', 'c')).toBe('done')
    }),
  )

  test(
    'stores an intent once, and returns it to everyone',
    using(async (store) => {
      const first = await store.begin(intent({ progress: '{"after":[]}' }))
      expect(first).toEqual({
        ...{ id: 'one', operation: 'orders.create', input: 'hash', attempt: 'a', holder: 'a' },
        ...{ heldUntil: 2000, startedAt: 1000, state: 'pending' },
        ...{ progress: '{"after":[]}', outcome: '' },
      })
      expect(await store.begin(intent({ token: 'b', now: 1999 }))).toEqual(first)
      expect(await store.read('one')).toEqual(first)
      expect(await store.read('two')).toBeUndefined()
    }),
  )

  test(
    'begins once when many begin at the same time',
    using(async (store) => {
      const tokens = Array.from({ length: 20 }, (_, at) => `token ${at}`)
      const found = await Promise.all(tokens.map((token) => store.begin(intent({ token }))))
      expect(new Set(found.map(({ holder }) => holder)).size).toBe(1)
      expect(new Set(found.map(({ attempt }) => attempt)).size).toBe(1)
    }),
  )

  test(
    'lets another token take over when the hold has ended, but never start again',
    using(async (store) => {
      await store.begin(intent())
      const taken = await store.begin(
        intent({ token: 'b', now: 2000, heldUntil: 3000, progress: 'x' }),
      )
      expect(taken).toMatchObject({ holder: 'b', attempt: 'a', heldUntil: 3000, progress: '' })
      expect(await store.save('one', { token: 'a', heldUntil: 9000 })).toBe(false)
      expect(await store.save('one', { token: 'b', heldUntil: 5000, progress: 'p' })).toBe(true)
      const held = await store.begin(intent({ token: 'c', now: 4999 }))
      expect(held).toMatchObject({ holder: 'b', progress: 'p', heldUntil: 5000 })
    }),
  )

  test(
    'clears the error of the last run when another token takes over',
    using(async (store) => {
      await store.begin(intent())
      expect(await store.end({ ...end, holder: 'a', state: 'pending' })).toBe(true)
      expect(await store.read('one')).toMatchObject({ outcome: end.outcome })
      const taken = await store.begin(intent({ token: 'b', now: 2000, heldUntil: 3000 }))
      expect(taken).toMatchObject({ holder: 'b', state: 'pending', outcome: '' })
    }),
  )

  test(
    'ignores a hold that arrives after a later one',
    using(async (store) => {
      await store.begin(intent())
      expect(await store.save('one', { token: 'a', heldUntil: 2000, progress: 'p' })).toBe(true)
      expect(await store.save('one', { token: 'a', heldUntil: 4000, progress: 'q' })).toBe(true)
      expect(await store.save('one', { token: 'a', heldUntil: 3999, progress: 'p' })).toBe(false)
      expect(await store.read('one')).toMatchObject({ progress: 'q', heldUntil: 4000 })
    }),
  )

  test(
    'lets only one of many take over',
    using(async (store) => {
      await store.begin(intent())
      const tokens = Array.from({ length: 20 }, (_, at) => `token ${at}`)
      const all = tokens.map((token) => store.begin(intent({ token, now: 3000, heldUntil: 9000 })))
      const found = await Promise.all(all)
      expect(found.filter(({ holder }, at) => holder === tokens[at])).toHaveLength(1)
    }),
  )

  test(
    'leaves a write with another input or operation as it is',
    using(async (store) => {
      const first = await store.begin(intent())
      const late = { token: 'b', now: 9000, heldUntil: 9999 }
      expect(await store.begin(intent({ ...late, input: 'other' }))).toEqual(first)
      expect(await store.begin(intent({ ...late, operation: 'insurance.create' }))).toEqual(first)
    }),
  )

  test(
    'keeps the first outcome',
    using(async (store) => {
      await store.begin(intent())
      expect(await store.end({ ...end, attempt: 'b', state: 'done' })).toBe(false)
      expect(await store.end({ ...end, state: 'done' })).toBe(true)
      expect(await store.end({ ...end, state: 'done', outcome: '{}' })).toBe(false)
      expect(await store.end({ ...end, state: 'cleared' })).toBe(false)
      const late = await store.begin(intent({ token: 'b', now: 9000 }))
      expect(late).toMatchObject({ state: 'done', outcome: end.outcome, holder: '' })
    }),
  )

  test(
    'ends a write for its holder only, if it says so',
    using(async (store) => {
      await store.begin(intent())
      await store.begin(intent({ token: 'b', now: 2000, heldUntil: 3000 }))
      expect(await store.end({ ...end, holder: 'a', state: 'cleared' })).toBe(false)
      expect(await store.end({ ...end, holder: '', state: 'cleared' })).toBe(false)
      expect(await store.end({ ...end, holder: 'b', state: 'unresolved' })).toBe(true)
      // Who knows the outcome may store it at any time.
      expect(await store.end({ ...end, state: 'done' })).toBe(true)
    }),
  )

  test(
    'ends a cleared write only for those who know the outcome',
    using(async (store) => {
      await store.begin(intent())
      expect(await store.end({ ...end, holder: 'a', state: 'cleared' })).toBe(true)
      expect(await store.end({ ...end, holder: '', state: 'done' })).toBe(false)
      expect(await store.end({ ...end, holder: '', state: 'pending' })).toBe(false)
      expect(await store.end({ ...end, state: 'done' })).toBe(true)
    }),
  )

  test(
    'starts a cleared write again, with another input',
    using(async (store) => {
      await store.begin(intent())
      await store.end({ ...end, state: 'cleared', outcome: '' })
      const again = intent({ token: 'b', now: 1600, heldUntil: 2600, input: 'new', progress: 'p' })
      expect(await store.begin(again)).toMatchObject({
        ...{ attempt: 'b', holder: 'b', input: 'new', progress: 'p' },
        ...{ state: 'pending', startedAt: 1600, heldUntil: 2600 },
      })
      expect(await store.end({ ...end, state: 'done' })).toBe(false)
    }),
  )

  test(
    'lists what has no outcome, the oldest first',
    using(async (store) => {
      for (const [at, id] of ['late', 'early', 'done', 'unresolved', 'cleared'].entries()) {
        await store.begin(intent({ id, now: id === 'early' ? 10 : 1000 + at }))
      }
      await store.end({ ...end, id: 'done', state: 'done' })
      await store.end({ ...end, id: 'cleared', state: 'cleared' })
      await store.end({ ...end, id: 'unresolved', state: 'unresolved' })
      expect((await store.open(10)).map(({ id }) => id)).toEqual(['early', 'late', 'unresolved'])
      expect((await store.open(1)).map(({ id }) => id)).toEqual(['early'])
    }),
  )

  test(
    'keeps any text',
    using(async (store) => {
      const text = '{"name":"Zoë \\u0000 😀 \\"\' $1"}'
      await store.begin(intent({ id: 'ünïque 😀', progress: text }))
      await store.end({ ...end, id: 'ünïque 😀', state: 'done', outcome: text })
      expect(await store.read('ünïque 😀')).toMatchObject({ progress: text, outcome: text })
    }),
  )
})
