import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { check, describeExpected } from '../../src/contract/schema-tools/check.ts'
import { findIssues } from '../../src/contract/schema-tools/issues.ts'
import { date, integer, shortString, uuid } from '../../src/contract/schema-tools/schema.ts'

describe('issues of a value', () => {
  it.each([
    ['string', z.string(), 1, 'a string'],
    ['number', z.number(), 'one', 'a number'],
    ['integer', z.int(), 1.5, 'an integer'],
    ['boolean', z.boolean(), 'true', 'a boolean'],
    ['array', z.array(z.string()), {}, 'an array'],
    ['object', z.object({}), [], 'an object'],
    ['object', z.record(z.string(), z.string()), [], 'an object'],
    ['uuid', uuid, 'id', 'a UUID'],
    ['date', date, '2025-02-30', 'a date (YYYY-MM-DD)'],
    ['date-time', z.iso.datetime(), 'noon', 'a date-time (ISO 8601)'],
    ['email', z.email(), 'nobody', 'an e-mail address'],
    ['enum', z.enum(['a', 'b']), 'c', 'one of a, b'],
    ['too_small', integer(1, 100), 0, 'at least 1'],
    ['too_big', integer(1, 100), 101, 'at most 100'],
    ['too_big', integer(1, 100), 2 ** 53, 'at most 100'],
    ['too_big', integer(1), 2 ** 53, 'at most 9007199254740991'],
    ['too_big', z.union([integer(1), z.string()]), 2 ** 53, 'at most 9007199254740991'],
    ['too_small', integer(1), -(2 ** 53), 'at least 1'],
    ['too_long', shortString(3), 'four', 'at most 3 characters'],
    ['rule', z.string().check(z.regex(/^a/, 'a word with a')), 'b', 'a word with a'],
    ['rule', z.union([z.number(), z.string().check(z.regex(/^a/, 'an a'))]), 'b', 'an a'],
    ['too_small', z.union([z.string(), integer(1)]), 0, 'at least 1'],
    ['other', z.undefined(), 1, 'a valid value'],
  ])('have the kind %s (%#)', (kind, schema, value, text) => {
    const [issue, ...others] = findIssues(schema, value)
    expect(issue).toMatchObject({ kind, path: [] })
    expect(issue && describeExpected(issue)).toBe(text)
    expect(others).toEqual([])
  })

  it('have a path of field names and positions', () => {
    const schema = z.object({ connections: z.array(z.object({ user_id: uuid })) })
    const value = { connections: [{ user_id: 'x' }] }
    expect(findIssues(schema, value)).toEqual([
      { kind: 'uuid', path: ['connections', 0, 'user_id'] },
    ])
    expect(check(schema, value, 'body')).toEqual([
      { path: 'body.connections[0].user_id', expected: 'a UUID' },
    ])
  })

  it('are those of the closest member of a union', () => {
    const near = z.object({ index: z.string(), size: z.int() })
    const far = z.object({ a: z.string(), b: z.string(), c: z.string() })
    expect(findIssues(z.union([far, near]), { index: 'sleep' })).toEqual([
      { kind: 'number', path: ['size'] },
    ])
  })

  it.each([
    ['list', z.array(z.string()), Array.from({ length: 150_000 }, () => 1)],
    ['list in a list', z.array(z.array(z.string())), [Array.from({ length: 150_000 }, () => 1)]],
    [
      'record in a list',
      z.array(z.record(z.string(), z.string())),
      [Object.fromEntries(Array.from({ length: 150_000 }, (_, at) => [`key ${at}`, 1]))],
    ],
    [
      'list in a union',
      z.array(z.union([z.object({ items: z.array(z.string()) }), z.array(z.array(z.string()))])),
      [[Array.from({ length: 150_000 }, () => 1)]],
    ],
  ])('are the first 100 of a large %s', (_, schema, value) => {
    expect(check(schema, value)).toHaveLength(100)
    expect(findIssues(schema, value, 3)).toHaveLength(3)
  })

  it('include an unknown field of a strict object beside an invalid one', () => {
    expect(check(z.strictObject({ name: z.string() }), { name: 1, Jane: 1 }, 'body')).toEqual([
      { path: 'body.name', expected: 'a string' },
      { path: 'body', expected: 'a valid value' },
    ])
  })

  it("show a key of a record as *, because it is the caller's data", () => {
    const schema = z.object({ arg: z.record(z.string(), z.string()) })
    expect(check(schema, { arg: { 'Jane Doe': 1 } })).toEqual([
      { path: 'arg.*', expected: 'a string' },
    ])
  })
})
