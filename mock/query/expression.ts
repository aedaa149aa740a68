export const comparisons = ['=', '!=', '<>', '<=', '>=', '<', '>'] as const

export type ComparisonExpression = (typeof comparisons)[number]

/** A column value or a boolean. SQL's NULL is null. */
export type Value = number | string | boolean | null

export type Expression =
  | { kind: 'literal'; value: Value; position: number }
  | { kind: 'column'; name: string; position: number }
  | { kind: 'compare'; operator: ComparisonExpression; left: Expression; right: Expression }
  | { kind: 'is-null'; operand: Expression; isNegated: boolean }
  | { kind: 'not'; operand: Expression }
  /** Contains at least two operands. */
  | { kind: 'and' | 'or'; operands: Expression[] }

export function countOperands(expression: Expression): number {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.operands.reduce((sum, operand) => sum + countOperands(operand), 0)
    case 'compare':
      return countOperands(expression.left) + countOperands(expression.right)
    case 'not':
    case 'is-null':
      return countOperands(expression.operand)
    default:
      return 1
  }
}

export class WhereError extends Error {
  /** The zero-based position in the expression. */
  readonly position: number
  readonly expected: string

  constructor(position: number, expected: string, found: string) {
    super(`at position ${position}: expected ${expected}, found ${found}`)
    this.position = position
    this.expected = expected
  }
}

export function excerpt(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
