import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { codeAnchor } from '../../docs/.vitepress/markdown/rows.ts'
import { mockErrorCodes } from '../../mock/errors.ts'
import {
  apiErrorCodes,
  archiveErrorCodes,
  paginationErrorCodes,
} from '../../src/client/errors/error-codes.ts'
import { outcomeOf } from '../../src/client/retries/retry.ts'
import { durableErrorCodes } from '../../src/durable/durable-error.ts'
import { eventErrorCodes } from '../../src/events/errors.ts'
import * as client from '../../src/index.ts'
import { storeErrorCodes } from '../../src/stores/store-error.ts'
import { syncErrorCodes } from '../../src/sync/database-errors.ts'

const page = readFileSync('docs/reference/errors.md', 'utf8')

/** Returns the cells of the rows of a section's table, without the titles. */
function rowsOf(title: string): string[][] {
  const [, section = ''] = page.split(`\n## ${title}\n`)
  const [text = ''] = section.split('\n## ')
  const rows = text.split('\n').filter((line) => line.startsWith('| `'))
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

function codesOf(title: string): (string | undefined)[] {
  return rowsOf(title).map(([cell = '']) => cell.split('<br>')[0]?.replaceAll('`', ''))
}

const others = client.serviceErrorCodes.filter(
  (code) =>
    ![...apiErrorCodes, ...paginationErrorCodes, ...archiveErrorCodes].some((one) => one === code),
)

const exports: Record<string, unknown> = { ...client }
const classes = new Map(
  Object.entries(exports).filter(([, value]) => {
    return typeof value === 'function' && value.prototype instanceof Error
  }),
)

it.each([
  { title: 'Responses with an error status', codes: apiErrorCodes },
  { title: 'Requests without a usable response', codes: others },
  { title: 'Pages', codes: paginationErrorCodes },
  { title: 'Archives', codes: archiveErrorCodes },
  { title: 'Events', codes: eventErrorCodes },
  { title: 'Durable writes', codes: durableErrorCodes },
  { title: 'Stores', codes: storeErrorCodes },
  { title: 'Sync', codes: syncErrorCodes },
  { title: 'Mock', codes: mockErrorCodes },
])('lists each code of "$title" once', ({ title, codes }) => {
  expect(codesOf(title).toSorted()).toEqual([...codes].toSorted())
})

it('gives each code an anchor of its own', () => {
  const sections = page.split(/^## /m).slice(1)
  const anchors = sections.flatMap((section) => {
    const [title = ''] = section.split('\n', 1)
    return rowsOf(title).map(([cell = '']) => codeAnchor(cell, title))
  })
  const found = anchors.filter((anchor) => anchor !== undefined)
  expect(found).toEqual(
    expect.arrayContaining([...client.serviceErrorCodes, 'mock-defect', 'durable-writes-busy']),
  )
  expect(found).toHaveLength(new Set(found).size)
})

it('lists every error class of the client', () => {
  expect(classes.size).toBeGreaterThan(12)
  expect([...classes.keys()].filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

const facts = { operation: 'orders.create', route: 'POST /v3/order', attempts: [] } as const

it.each(rowsOf('Responses with an error status'))('has the code and class of %s', (...row) => {
  const [names = '', result = ''] = row.map((text) => text.replaceAll('`', ''))
  const [code = '', name = ''] = names.split('<br>')
  const [status = '', outcome = ''] = result.split('<br>')
  const number = Number.parseInt(status, 10) || 418
  const Class = classes.get(name) as typeof client.ApiError
  const response = {
    status: number,
    headers: new Headers(),
    body: '',
    details: [],
    retryAt: undefined,
  }
  expect(new Class(response, { ...facts, outcome: 'rejected' }).code).toBe(code)
  expect(outcome.split(/[ ;]/)[0]).toBe(
    outcomeOf({ status: number, neverSent: false }, 'non-idempotent'),
  )
})
