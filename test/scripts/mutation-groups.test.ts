import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import { groups } from '../../scripts/mutation/groups.ts'

it.each(groups)('finds the files and the tests of the group $name', ({ mutate, tests }) => {
  const missing = [...mutate, ...tests].filter((pattern) => globSync(pattern).length === 0)
  expect(missing).toEqual([])
})
