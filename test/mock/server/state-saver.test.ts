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

it('saves the first change soon, even if the save at the start was slow', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const saves: number[] = []
  const capture = async () => {
    await new Promise((resolve) => setTimeout(resolve, 200))
    return '{}'
  }
  const write = async () => void saves.push(performance.now())
  const saver = new StateSaver(capture, write, expect.fail)
  const start = performance.now()
  const first = saver.now()
  await vi.advanceTimersByTimeAsync(200)
  await first
  for (let change = 0; change < 2; change += 1) {
    saver.changed()
    await vi.advanceTimersByTimeAsync(2200)
  }
  expect(saves.map((at) => at - start)).toEqual([200, 700, 2900])
})
