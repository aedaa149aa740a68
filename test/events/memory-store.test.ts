import { expect, it, onTestFinished, vi } from 'vitest'
import { type DedupeStore, memoryStore } from '../../src/events/index.ts'
import { delivery } from '../support/signed.ts'
import { receiver, sleep } from './receiver.ts'

/** Marks messages as handled. */
function finish(store: DedupeStore, ids: readonly string[]): void {
  for (const id of ids) {
    store.claim(id, 'token')
    store.finish(id, 'token')
  }
}

it('remembers at least as many messages as its option says, and at most twice as many', () => {
  const store = memoryStore(2)
  finish(store, ['a', 'b', 'c', 'd', 'e'])
  const claims = ['a', 'b', 'c', 'd', 'e'].map((id) => store.claim(id, 'token'))
  expect(claims).toEqual(['claimed', 'claimed', 'done', 'done', 'done'])
})

it('remembers a message while its signature is valid, however many follow', async () => {
  const dedupe = memoryStore()
  const { receive, handled } = receiver({ dedupe })
  const message = await delivery(sleep)
  const replay = message.clone()
  await receive(message)
  finish(
    dedupe,
    Array.from({ length: 100_000 }, (_, nth) => `msg_${nth + 2}`),
  )
  expect(await (await receive(replay)).text()).toBe('Already handled')
  expect(handled).toHaveLength(1)
})

it('remembers a message for 28 hours, and forgets it later', () => {
  const hour = 60 * 60 * 1000
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const store = memoryStore(1_000_000)
  vi.advanceTimersByTime(27 * hour)
  finish(store, ['old'])
  for (let passed = 1; passed <= 28; passed += 1) {
    vi.advanceTimersByTime(hour)
    finish(store, [`after ${passed} hours`])
    expect(store.claim('old', 'token')).toBe('done')
  }
  vi.advanceTimersByTime(28 * hour)
  finish(store, ['later'])
  expect(store.claim('old', 'token')).toBe('claimed')
})
