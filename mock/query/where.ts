import { present } from '../../src/shared/narrow.ts'
import { comparisons, type Expression, excerpt, type Value, WhereError } from './expression.ts'
import { type Token, tokenize } from './tokens.ts'

/** The maximum length of an expression, in characters. */
const maxLength = 1_000_000
/** The maximum number of values and columns in one expression, and in all expressions of a request. */
export const maxOperands = 10_000
const maxDepth = 100

/**
 * Parses a `where` expression. An expression compares columns, numbers, single-quoted strings, booleans and null. The
 * operators are `= != <> < <= > >=` and `IS [NOT] NULL`. `NOT`, `AND`, `OR` and parentheses combine comparisons.
 * Keywords are case-insensitive.
 *
 * @throws {WhereError} if the expression is invalid or exceeds a limit. The error contains the position and the
 * expected syntax.
 */
export function parseWhere(text: string): Expression {
  if (text.length > maxLength) {
    throw new WhereError(maxLength, `at most ${maxLength} characters`, 'more')
  }
  return new Parser(tokenize(text)).parse()
}

const constants = new Map<string, Value>([
  ['TRUE', true],
  ['FALSE', false],
  ['NULL', null],
])

const keywords = new Set(['AND', 'OR', 'NOT', 'IS'])

/** A recursive descent parser with one method per precedence level. */
class Parser {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0
  #operands = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  parse(): Expression {
    const expression = this.#disjunction()
    if (this.#token.kind !== 'end') this.#fail('AND, OR or the end of the expression')
    return expression
  }

  #disjunction(): Expression {
    return this.#chain('or', () => this.#conjunction())
  }

  #conjunction(): Expression {
    return this.#chain('and', () => this.#negation())
  }

  /** Parses a chain of operands into one node, because nested nodes could overflow the stack. */
  #chain(kind: 'and' | 'or', parseOperand: () => Expression): Expression {
    const first = parseOperand()
    const operands = [first]
    while (this.#takeWord(kind.toUpperCase())) operands.push(parseOperand())
    return operands.length === 1 ? first : { kind, operands }
  }

  #negation(): Expression {
    let isNegated = false
    while (this.#takeWord('NOT')) isNegated = !isNegated
    const operand = this.#comparison()
    return isNegated ? { kind: 'not', operand } : operand
  }

  #comparison(): Expression {
    const left = this.#operand()
    if (this.#takeWord('IS')) return this.#nullTest(left)
    const operator = comparisons.find((symbol) => this.#takeSymbol(symbol))
    return operator ? { kind: 'compare', operator, left, right: this.#operand() } : left
  }

  #nullTest(operand: Expression): Expression {
    const isNegated = this.#takeWord('NOT')
    if (!this.#takeWord('NULL')) this.#fail('NULL')
    return { kind: 'is-null', operand, isNegated }
  }

  #operand(): Expression {
    const { kind, text, position } = this.#token
    if (this.#isSymbol('(')) return this.#parentheses()
    this.#operands += 1
    if (this.#operands > maxOperands) this.#fail(`at most ${maxOperands} values and columns`)
    if (this.#takeSymbol('-')) return this.#negativeNumber(position)
    if (kind === 'symbol' || kind === 'end') return this.#fail('a value or a column')
    if (kind === 'word') return this.#word(text, position)
    this.#at += 1
    return { kind: 'literal', value: kind === 'number' ? Number(text) : text, position }
  }

  #parentheses(): Expression {
    this.#depth += 1
    if (this.#depth > maxDepth) this.#fail(`at most ${maxDepth} levels of parentheses`)
    this.#at += 1
    const inner = this.#disjunction()
    this.#depth -= 1
    if (!this.#takeSymbol(')')) this.#fail('")", AND or OR')
    return inner
  }

  #negativeNumber(position: number): Expression {
    const { kind, text } = this.#token
    if (kind !== 'number') this.#fail('a number')
    this.#at += 1
    return { kind: 'literal', value: -Number(text), position }
  }

  #word(word: string, position: number): Expression {
    const upper = word.toUpperCase()
    if (keywords.has(upper)) return this.#fail('a value or a column')
    this.#at += 1
    const constant = constants.get(upper)
    if (constant !== undefined) return { kind: 'literal', value: constant, position }
    return { kind: 'column', name: word, position }
  }

  get #token(): Token {
    // No rule advances past the end token.
    return present(this.#tokens[this.#at])
  }

  #takeWord(word: string): boolean {
    const isTaken = this.#token.kind === 'word' && this.#token.text.toUpperCase() === word
    if (isTaken) this.#at += 1
    return isTaken
  }

  #takeSymbol(symbol: string): boolean {
    const isTaken = this.#isSymbol(symbol)
    if (isTaken) this.#at += 1
    return isTaken
  }

  #isSymbol(symbol: string): boolean {
    return this.#token.kind === 'symbol' && this.#token.text === symbol
  }

  #fail(expected: string): never {
    const { kind, text, position } = this.#token
    throw new WhereError(position, expected, kind === 'end' ? 'the end' : `"${excerpt(text)}"`)
  }
}
