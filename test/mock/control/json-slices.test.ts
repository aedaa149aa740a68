import { expect, it } from 'vitest'
import { encodeBytes } from '../../../mock/control/json-bytes.ts'
import { stringifyInSlices } from '../../../mock/control/json-slices.ts'
import { fc } from '../../support/properties.ts'

it('returns the same JSON as JSON.stringify', async () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 5 },
      fc.jsonValue(),
      fc.constantFrom(undefined, Number.NaN, new Date(0), new Uint8Array([1, 2])),
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom('a', '$bytes', '$$bytes', 'toJSON', '"'), tie('any')),
    ),
  })).any
  await fc.assert(
    fc.asyncProperty(value, async (found) => {
      const expected = JSON.stringify(found, encodeBytes) ?? ''
      expect(String(await stringifyInSlices(found, encodeBytes))).toBe(expected)
    }),
  )
})

it('pauses between the items of a long list', async () => {
  const items = Array.from({ length: 1000 }, (_, at) => ({ text: 'x'.repeat(1000), at }))
  const ended: string[] = []
  const written = stringifyInSlices({ items }, encodeBytes).then(() => ended.push('list'))
  for (let count = 0; count < 5; count += 1) {
    await new Promise(setImmediate)
    ended.push('turn')
  }
  await written
  expect(ended).toEqual([...Array(5).fill('turn'), 'list'])
})
