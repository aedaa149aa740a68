import * as fc from 'fast-check'
import { type Expression, WhereError } from '../../mock/query/expression.ts'
import { parseWhere } from '../../mock/query/where.ts'
import { changeString, someChanges } from './changes.ts'
import { ensure, expectKind, type Target, target } from './target.ts'

/** An expression without positions. */
type Shape = Record<string, unknown>

/** A string, and the expression that the parser must return. */
interface Sample {
  text: string
  shape: Shape
}

const space = fc.constantFrom('', ' ', '  ', '\n')
const gap = fc.constantFrom(' ', '\t', ' \n ')

const operand: fc.Arbitrary<Sample> = fc.oneof(
  fc.stringMatching(/^[a-z_][a-z0-9_.]{0,8}$/).map((name) => ({
    text: `${name}_c`,
    shape: { kind: 'column', name: `${name}_c` },
  })),
  fc.string().map((value) => ({
    text: `'${value.replaceAll("'", "''")}'`,
    shape: { kind: 'literal', value },
  })),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }).map((value) => ({
    text: String(value),
    shape: { kind: 'literal', value },
  })),
  fc.nat().map((value) => ({ text: `-${value}`, shape: { kind: 'literal', value: -value } })),
  fc.constantFrom<Sample>(
    { text: 'TRUE', shape: { kind: 'literal', value: true } },
    { text: 'false', shape: { kind: 'literal', value: false } },
    { text: 'Null', shape: { kind: 'literal', value: null } },
  ),
)

const test: fc.Arbitrary<Sample> = fc.oneof(
  fc
    .tuple(operand, space, fc.constantFrom('=', '!=', '<>', '<=', '>=', '<', '>'), space, operand)
    .map(([left, before, operator, after, right]) => ({
      text: `${left.text}${before}${operator}${after}${right.text}`,
      shape: { kind: 'compare', operator, left: left.shape, right: right.shape },
    })),
  fc.tuple(operand, gap, fc.boolean()).map(([one, between, isNegated]) => ({
    text: `${one.text}${between}IS${between}${isNegated ? `not${between}` : ''}NULL`,
    shape: { kind: 'is-null', operand: one.shape, isNegated },
  })),
)

/** Expressions with parentheses everywhere, so that the shape does not depend on precedence. */
const expression = fc.letrec<{ any: Sample }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    test,
    fc
      .tuple(tie('any'), gap, fc.constantFrom('and', 'or'), gap, tie('any'))
      .map(([left, before, kind, after, right]) => ({
        text: `(${left.text})${before}${kind}${after}(${right.text})`,
        shape: { kind, operands: [left.shape, right.shape] },
      })),
    tie('any').map(({ text, shape }) => ({
      text: `NOT (${text})`,
      shape: { kind: 'not', operand: shape },
    })),
  ),
})).any

/**
 * Parses expressions. Valid ones must have their shape. Changed ones are parsed or throw a WhereError with a position.
 */
export const whereTarget: Target = target(
  'where',
  fc.record({ sample: expression, changes: fc.option(someChanges, { nil: undefined }) }),
  ({ sample: { text, shape }, changes }) => {
    if (!changes) {
      const parsed = JSON.stringify(shapeOf(parseWhere(text)))
      ensure(parsed === JSON.stringify(shape), `${text} parses to its shape, not to ${parsed}`)
      return
    }
    const changed = changeString(text, changes)
    try {
      parseWhere(changed)
    } catch (error) {
      expectKind(error, WhereError)
      const { position } = error as WhereError
      ensure(position >= 0 && position <= changed.length, 'the position is inside the string')
    }
  },
)

function shapeOf(expression: Expression): Shape {
  switch (expression.kind) {
    case 'literal':
      return { kind: 'literal', value: expression.value }
    case 'column':
      return { kind: 'column', name: expression.name }
    case 'is-null':
      return {
        ...expression,
        operand: shapeOf(expression.operand),
        isNegated: expression.isNegated,
      }
    case 'not':
      return { ...expression, operand: shapeOf(expression.operand) }
    case 'and':
    case 'or':
      return { ...expression, operands: expression.operands.map(shapeOf) }
    default:
      return { ...expression, left: shapeOf(expression.left), right: shapeOf(expression.right) }
  }
}
