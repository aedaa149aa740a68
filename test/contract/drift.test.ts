import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { findDrift } from '../../src/contract/schema-tools/drift.ts'
import {
  assumed,
  assumeRequired,
  lenient,
  openEnum,
} from '../../src/contract/schema-tools/schema.ts'

const item = z.object({
  kind: openEnum(['one', 'two']),
  id: lenient.uuid,
  amount: assumed(z.number()),
  inner: assumeRequired(z.object({ day: lenient.date })),
})

it('reports each place once, whatever number of values differ there', () => {
  const wrong = { kind: 'three', id: '1', amount: '2', inner: { day: 'x', more: 1 }, more: 2 }
  const items = Array.from({ length: 50_000 }, () => wrong)
  const found = findDrift(z.object({ items: z.array(item) }), { items }, 'response')
  expect(found.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
    'value response.items[].kind',
    'format response.items[].id',
    'format response.items[].amount',
    'format response.items[].inner.day',
    'field response.items[].inner.*',
    'field response.items[].*',
  ])
})

it('compares the values inside a place where another value is missing', () => {
  const id = '3fa85f64-5717-4562-b3fc-2c963f66afa6'
  const good = { kind: 'one', id, amount: 1, inner: { day: '2025-01-01' } }
  const items = [good, { ...good, inner: null }, { ...good, inner: { day: 'today' } }]
  expect(findDrift(z.array(item), items).map(({ path }) => path)).toEqual([
    '[].inner',
    '[].inner.day',
  ])
})

it('compares a value with the member of a union that accepts it, and the values of a record', () => {
  const union = z.union([z.object({ a: lenient.date }), z.record(z.string(), lenient.count)])
  const values = [{ a: '2025-01-01' }, { a: 'x' }, { b: -1, c: 2 }, { b: 3 }]
  expect(findDrift(z.array(union), values).map(({ path }) => path)).toEqual(['[].a', '[].*'])
})
