import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { pages } from '../../bench/results.ts'

it.each([...pages()])('%s shows the saved results and its introduction', (path, page) => {
  expect(readFileSync(path, 'utf8')).toBe(page)
})
