import { expect, it } from 'vitest'
import { createMock } from '../../mock/index.ts'
import { userId } from '../support/bodies.ts'
import { call } from '../support/call.ts'

const route = `POST /aggregate/v1/user/${userId}/query`

const body = {
  timeframe: { type: 'relative', anchor: '2025-06-01', past: { unit: 'week', value: 4 } },
  queries: [
    {
      select: [
        { arg: { sleep: 'score' }, func: 'mean' },
        { arg: { sleep: 'score' }, func: 'max' },
      ],
      group_by: [{ date_trunc: { unit: 'week', value: 1 }, arg: { index: 'sleep' } }],
    },
    { select: [{ arg: { activity: 'steps' }, func: 'sum' }] },
  ],
}

it('answers a table for each query, in their order (4.11)', async () => {
  const { status, body: answer } = await call(createMock().team(), route, body)
  expect(status).toBe(200)
  const [weekly, total] = answer.results
  expect(Object.keys(weekly.table)).toEqual(['index', 'mean', 'max'])
  expect(weekly.table.index[0]).toMatch(/^2025-05-\d\dT00:00:00$/)
  for (const column of Object.values(weekly.table)) {
    expect(column).toHaveLength(weekly.table.index.length)
  }
  expect(total.table.sum).toHaveLength(1)
})

it.each([
  ['*/*', 200],
  ['application/json', 200],
  ['application/json;q=0.9, text/plain', 200],
  ['text/csv', 406],
])('answers the accept header %s with %i (4.11)', async (accept, status) => {
  const answer = await call(createMock().team(), route, body, { accept })
  expect(answer.status).toBe(Number(status))
})

it('keeps the closed beta closed when told to (4.11)', async () => {
  const { status } = await call(createMock().team({ aggregate: false }), route, body)
  expect(status).toBe(403)
})

it('names what it does not know (4.11)', async () => {
  const queries = [{ select: [{ arg: { sleep: 'mood' }, func: 'mode' }] }]
  const answer = await call(createMock().team(), route, { ...body, queries })
  expect(answer.status).toBe(422)
})
