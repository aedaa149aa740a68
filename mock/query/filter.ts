import { countOperands, type Expression, type Value, WhereError } from './expression.ts'
import { columnOperand, comparable, literalOperand, type Operand } from './operands.ts'
import type { Table } from './table.ts'
import { parseWhere } from './where.ts'

/** Returns whether a row matches, or null for SQL's UNKNOWN. */
type Test = (row: number) => boolean | null

export interface Condition {
  matches: Test
  /** The number of values and columns in the expression. */
  operands: number
}

export function compileWhere(
  text: string,
  table: Table,
  columnNames: readonly string[],
): Condition {
  const expression = parseWhere(text)
  return {
    matches: compileTest(expression, table, columnNames),
    operands: countOperands(expression),
  }
}

function compileTest(expression: Expression, table: Table, names: readonly string[]): Test {
  const test = (inner: Expression) => compileTest(inner, table, names)
  switch (expression.kind) {
    case 'and':
      return combine(expression.operands.map(test), { decisive: false })
    case 'or':
      return combine(expression.operands.map(test), { decisive: true })
    case 'not':
      return negation(test(expression.operand))
    case 'is-null':
      return nullTest(compileOperand(expression.operand, table, names), expression.isNegated)
    case 'compare':
      return comparison(expression, table, names)
    default: {
      const { kind, read, position } = compileOperand(expression, table, names)
      if (kind !== 'boolean' && kind !== 'null')
        throw new WhereError(position, 'a comparison', `a ${kind}`)
      return read as Test // The kind is boolean or null.
    }
  }
}

/**
 * Combines tests like SQL's AND if false is decisive, and like OR if true is decisive. If a test returns the decisive
 * value, so does the combined test. If none does, a null from any test makes the result null.
 */
function combine(tests: readonly Test[], { decisive }: { decisive: boolean }): Test {
  return (row) => {
    let result: boolean | null = !decisive
    for (const test of tests) {
      const next = test(row)
      if (next === decisive) return decisive
      if (next === null) result = null
    }
    return result
  }
}

function negation(test: Test): Test {
  return (row) => {
    const result = test(row)
    return result === null ? null : !result
  }
}

function nullTest({ read }: Operand, isNegated: boolean): Test {
  return (row) => (read(row) === null) !== isNegated
}

function compileOperand(expression: Expression, table: Table, names: readonly string[]): Operand {
  if (expression.kind === 'literal') return literalOperand(expression)
  if (expression.kind === 'column') return columnOperand(expression, table, names)
  return { kind: 'boolean', read: compileTest(expression, table, names), position: 0 }
}

function comparison(
  { operator, left, right }: Expression & { kind: 'compare' },
  table: Table,
  names: readonly string[],
): Test {
  const [first, second] = comparable(
    compileOperand(left, table, names),
    compileOperand(right, table, names),
  )
  const holds = comparators[operator]
  return (row) => {
    const one = first(row)
    const other = second(row)
    return one === null || other === null ? null : holds(compareText(one, other))
  }
}

export function compareText(one: Value, other: Value): number {
  if (typeof one === 'string' && typeof other === 'string') return compareStrings(one, other)
  return Number(one) - Number(other)
}

/** Compares by code point. JavaScript compares by UTF-16 code unit, which sorts emoji before some other characters. */
function compareStrings(one: string, other: string): number {
  if (one === other) return 0
  const length = Math.min(one.length, other.length)
  for (let at = 0; at < length; at += 1) {
    const difference = codePoint(one, at) - codePoint(other, at)
    if (difference !== 0) return difference
  }
  return one.length - other.length
}

function codePoint(text: string, at: number): number {
  return text.codePointAt(at) as number // `at` is a valid index.
}

const comparators = {
  '=': (order: number) => order === 0,
  '!=': (order: number) => order !== 0,
  '<>': (order: number) => order !== 0,
  '<': (order: number) => order < 0,
  '<=': (order: number) => order <= 0,
  '>': (order: number) => order > 0,
  '>=': (order: number) => order >= 0,
}
