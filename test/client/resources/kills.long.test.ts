import { expect, it } from 'vitest'
import { crash } from '../../../bench/crashes/crash.ts'

it('creates each order once, even if processes are killed', async () => {
  const { problems, orders } = await crash(4, 1, 0)
  expect(problems).toEqual([])
  expect(orders).toBeGreaterThan(0)
})
