import { expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { past, query, sum } from '../../../src/index.ts'
import { userId } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'

/** The workouts of the tests, by calories and title. */
const workouts = [
  { calories: 1, title: 'run' },
  { calories: 2, title: 'Row' },
  { calories: 4, title: "it's" },
  { calories: 8, title: null },
  { calories: 16, title: '' },
  { calories: -32, title: 'a  b' },
]

/** Queries a team with these workouts only. */
function ask(where: string) {
  const team = createMock().team({ generatedData: false })
  for (const values of workouts) team.data.create({ user_id: userId, resource: 'workout', values })
  return call(team, `POST /aggregate/v1/user/${userId}/query`, {
    timeframe: past(7, 'day', '2025-06-01'),
    queries: [query(sum('workout', 'calories')).where(where)],
  })
}

it.each([
  ['calories = 2', 2],
  ['calories=2', 2],
  ['  calories\t=\n2  ', 2],
  ['2 = calories', 2],
  ['calories != 2', -3],
  ['calories <> 2', -3],
  ['calories < 2', -31],
  ['calories <= 2', -29],
  ['calories > 4', 24],
  ['calories >= 4', 28],
  ['calories = 1.6e1', 16],
  ['calories = 1.6E+1', 16],
  ['calories = 160e-1', 16],
  ['calories = 0.00000000016e11', 16],
  ['calories = 16.00', 16],
  ['calories = 16.', 16],
  ['calories = .16e2', 16],
  ['calories > .5 AND calories < 1.5', 1],
  ['calories = -.32e2', -32],
  ['calories = -32', -32],
  ['calories = - 32', -32],
  ["title = 'it''s'", 4],
  ["title = ''", 16],
  ["title = '(' OR title = '-' OR 'x' = 'x'", -1],
  ["title = 'a  b'", -32],
  ["title = 'Row'", 2],
  ["title = 'row'", null],
  ['title IS NULL', 8],
  ['title is not null', -9],
  ['title Is Not Null AND calories > 1', 22],
  ['NOT calories = 2', -3],
  ['NOT NOT calories = 2', 2],
  ['not not not calories = 2', -3],
  ['NOT (calories = 2 OR calories = 1)', -4],
  ['calories = 1 OR calories = 2 OR calories = 4', 7],
  ['calories > 1 AND calories < 16 AND title IS NOT NULL', 6],
  ['calories = 1 OR calories = 2 AND title IS NULL', 1],
  ['(calories = 1 OR calories = 2) AND title IS NULL', null],
  ['calories = 2 AND title IS NULL OR calories = 1', 1],
  ['NOT calories = 1 AND calories < 4', -30],
  ['((calories)) = ((2))', 2],
  ['true', -1],
  ['FALSE', null],
  ['NULL', null],
  ['calories = 1 OR true', -1],
  ['(title IS NULL)', 8],
])('keeps for %j what adds up to %s', async (where, expected) => {
  const { status, body } = await ask(where)
  expect([status, body.results?.[0].table.sum[0] ?? null]).toEqual([200, expected])
})

const anything = 'a value, a column or an operator'
const operand = 'a value or a column'

it.each([
  ['', 0, operand, 'the end'],
  ['   ', 3, operand, 'the end'],
  ['calories = ', 11, operand, 'the end'],
  ['calories =', 10, operand, 'the end'],
  ['calories = AND', 11, operand, '"AND"'],
  ['AND', 0, operand, '"AND"'],
  ['or', 0, operand, '"or"'],
  ['calories = NOT', 11, operand, '"NOT"'],
  ['Is', 0, operand, '"Is"'],
  ['calories = =', 11, operand, '"="'],
  ['= 2', 0, operand, '"="'],
  [')', 0, operand, '")"'],
  ['calories = 2 3', 13, 'AND, OR or the end of the expression', '"3"'],
  ["calories = 1 'or' calories = 2", 13, 'AND, OR or the end of the expression', '"or"'],
  ["calories '=' 2", 9, 'AND, OR or the end of the expression', '"="'],
  ['calories = 2 )', 13, 'AND, OR or the end of the expression', '")"'],
  ['calories IS 2', 12, 'NULL', '"2"'],
  ['calories IS', 11, 'NULL', 'the end'],
  ['calories IS NOT', 15, 'NULL', 'the end'],
  ['calories IS NOT NOT NULL', 16, 'NULL', '"NOT"'],
  ['(calories = 2', 13, '")", AND or OR', 'the end'],
  ['(calories = 2 3', 14, '")", AND or OR', '"3"'],
  ['calories = - title', 13, 'a number', '"title"'],
  ["calories = -'2'", 12, 'a number', '"2"'],
  ['calories = -', 12, 'a number', 'the end'],
  ['calories ; 2', 9, anything, '";"'],
  ['calories =  #', 12, anything, '"#"'],
  ["title = 'run", 8, anything, 'a string without a closing quote'],
  ["  '", 2, anything, 'a string without a closing quote'],
  ['calories = .', 11, anything, '"."'],
  ['calories = 2..', 13, anything, '"."'],
  ['calories + 2 = 4', 9, anything, '"+"'],
])('says where %j goes wrong', async (where, position, expected, found) => {
  const { status, body } = await ask(where)
  const message = `Invalid expression at position ${position}: expected ${expected}, found ${found}`
  expect([status, body.detail[0].msg]).toEqual([422, expect.stringContaining(message)])
})

it('takes 100 levels of parentheses, one beside the other any number', async () => {
  const nested = `${'('.repeat(100)}calories = 2${')'.repeat(100)}`
  expect((await ask(nested)).body.results[0].table.sum).toEqual([2])
  const beside = Array.from({ length: 300 }, () => '(calories = 2)').join(' OR ')
  expect((await ask(beside)).body.results[0].table.sum).toEqual([2])
})

it('rejects 101 levels of parentheses', async () => {
  const { status, body } = await ask(`${'('.repeat(101)}calories = 2${')'.repeat(101)}`)
  const message =
    'Invalid expression at position 100: expected at most 100 levels of parentheses, found "("'
  expect([status, body.detail[0].msg]).toEqual([422, expect.stringContaining(message)])
})

it('takes 10,000 values and columns, and rejects one more', async () => {
  // Parentheses do not count.
  const many = Array.from({ length: 5000 }, () => '(calories = 2)').join(' OR ')
  expect((await ask(many)).body.results[0].table.sum).toEqual([2])
  const { status, body } = await ask(`${many} OR calories = 2`)
  const position = many.length + ' OR '.length
  const message = `Invalid expression at position ${position}: expected at most 10000 values and columns, found "calories"`
  expect([status, body.detail[0].msg]).toEqual([422, expect.stringContaining(message)])
})

it('takes 1,000,000 characters, and rejects one more', async () => {
  const long = 'calories = 2'.padEnd(1_000_000)
  expect((await ask(long)).body.results[0].table.sum).toEqual([2])
  const { status, body } = await ask(`${long} `)
  const message =
    'Invalid expression at position 1000000: expected at most 1000000 characters, found more'
  expect([status, body.detail[0].msg]).toEqual([422, expect.stringContaining(message)])
})
