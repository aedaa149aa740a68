import { expect, it, onTestFinished, vi } from 'vitest'
import { StateSaver } from '../../../mock/cli/serving/state-saver.ts'

it('saves a change as soon after a slow write as after a fast one', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let saves = 0
  const write = async () => {
    await new Promise((resolve) => setTimeout(resolve, 2000))
    saves += 1
  }
  const saver = new StateSaver(async () => '{}', write, expect.fail)
  const first = saver.now()
  await vi.advanceTimersByTimeAsync(2000)
  await first
  saver.changed()
  await vi.advanceTimersByTimeAsync(2300)
  expect(saves).toBe(2)
})
