import { expect, it } from 'vitest'
import { Fifo } from '../../../mock/shared/lists.ts'
import { PriorityQueue } from '../../../mock/shared/priority-queue.ts'
import { fc } from '../../support/properties.ts'

it('returns values by priority, then in the order of their addition, after any removals', () => {
  const additions = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.boolean()))
  fc.assert(
    fc.property(additions, (items) => {
      const queue = new PriorityQueue<number>()
      const entries = items.map(([priority], at) => queue.add(priority, at))
      items.forEach(([, isRemoved], at) => {
        const entry = entries[at]
        if (isRemoved && entry)
          expect([queue.remove(entry), queue.remove(entry)]).toEqual([true, false])
      })
      const left = items.flatMap(([priority, isRemoved], at) =>
        isRemoved ? [] : [{ priority, at }],
      )
      const sorted = left.sort((one, other) => one.priority - other.priority).map(({ at }) => at)
      expect(queue.list()).toEqual(sorted)
      expect(sorted.map(() => queue.take())).toEqual(sorted)
      expect([queue.size, queue.next, queue.take()]).toEqual([
        0,
        Number.POSITIVE_INFINITY,
        undefined,
      ])
    }),
  )
})

it('takes values up to a limit only', () => {
  const queue = new PriorityQueue<string>()
  queue.add(5, 'later')
  expect(queue.take(4)).toBeUndefined()
  expect(queue.take(5)).toBe('later')
})

it('keeps a list in order while it grows and shrinks', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean()), (steps) => {
      const list = new Fifo<number>()
      const model: number[] = []
      steps.forEach((isAdded, at) => {
        if (isAdded) model.push(at)
        if (isAdded) list.push(at)
        else expect(list.shift()).toBe(model.shift())
        expect([list.length, list.first, list.at(1), list.at(-1)]).toEqual([
          model.length,
          model[0],
          model[1],
          undefined,
        ])
        expect(list.list()).toEqual(model)
        expect(list.list(2)).toEqual(model.slice(2))
      })
    }),
  )
})
