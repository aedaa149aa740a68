import * as fc from 'fast-check'
import { type Expression, WhereError } from '../../mock/query/expression.ts'
import { parseWhere } from '../../mock/query/where.ts'
import { changedText, changes } from './mutation.ts'
import { expectKind, must, type Target, target } from './target.ts'

/** An expression without the places of its parts. */
type Shape = Record<string, unknown>

/** A text, and what it must be read as. */
interface Written {
  text: string
  shape: Shape
}

const space = fc.constantFrom('', ' ', '  ', '\n')
const gap = fc.constantFrom(' ', '\t', ' \n ')

const operand: fc.Arbitrary<Written> = fc.oneof(
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
  fc.constantFrom<Written>(
    { text: 'TRUE', shape: { kind: 'literal', value: true } },
    { text: 'false', shape: { kind: 'literal', value: false } },
    { text: 'Null', shape: { kind: 'literal', value: null } },
  ),
)

const test: fc.Arbitrary<Written> = fc.oneof(
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

/** Always with parentheses, so that no order of precedence is needed to know the shape. */
const expression = fc.letrec<{ any: Written }>((tie) => ({
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

/** What is written is read as it was meant; after any change it is read, or refused at a place of the text. */
export const whereTarget: Target = target(
  'where',
  fc.record({ written: expression, made: fc.option(changes, { nil: undefined }) }),
  ({ written: { text, shape }, made }) => {
    if (!made) {
      const read = JSON.stringify(shapeOf(parseWhere(text)))
      must(read === JSON.stringify(shape), `${text} is read as it was meant, not as ${read}`)
      return
    }
    const odd = changedText(text, made)
    try {
      parseWhere(odd)
    } catch (error) {
      expectKind(error, WhereError)
      const { position } = error as WhereError
      must(position >= 0 && position <= odd.length, 'the place is in the text')
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
