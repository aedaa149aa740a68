import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { groups } from '../../scripts/mutation/groups.ts'
import survivors from '../../scripts/mutation/survivors.json' with { type: 'json' }

it.each(groups)('finds the files and the tests of the group $name', ({ mutate, tests }) => {
  const missing = [...mutate, ...tests].filter((pattern) => globSync(pattern).length === 0)
  expect(missing).toEqual([])
})

it('explains only survivors whose code still exists', () => {
  const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ')
  const stale = survivors.filter(
    ({ file, original }) => !oneLine(readFileSync(file, 'utf8')).includes(original),
  )
  expect(stale).toEqual([])
})
