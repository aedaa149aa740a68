/** The value of an expression: what a column holds, or a truth. SQL's NULL is null. */
export type Value = number | string | boolean | null

const comparisons = ['=', '!=', '<>', '<=', '>=', '<', '>'] as const
type Comparison = (typeof comparisons)[number]

/** A parsed `where` expression. */
export type Expression =
  | { kind: 'literal'; value: Value; position: number }
  | { kind: 'column'; name: string; position: number }
  | { kind: 'compare'; operator: Comparison; left: Expression; right: Expression }
  | { kind: 'is-null'; operand: Expression; negated: boolean }
  | { kind: 'not'; operand: Expression }
  /** Two operands or more. */
  | { kind: 'and' | 'or'; operands: Expression[] }

/** A `where` expression that does not follow its grammar: where, and what was expected there. */
export class WhereError extends Error {
  /** The position in the text, from 0. */
  readonly position: number
  readonly expected: string

  constructor(position: number, expected: string, found: string) {
    super(`at position ${position}: expected ${expected}, found ${found}`)
    this.position = position
    this.expected = expected
  }
}

interface Token {
  kind: 'number' | 'string' | 'word' | 'symbol' | 'end'
  text: string
  position: number
}

const tokenPattern =
  /(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<word>[A-Za-z_][A-Za-z0-9_.]*)|(?<symbol><=|>=|<>|!=|[=<>()-])/y

/** The longest expression, in characters, and the most comparisons and other operands in one. */
const longestText = 1_000_000
const mostOperands = 10_000
const deepestNesting = 100

function tokens(text: string): Token[] {
  const found: Token[] = []
  for (let at = afterSpace(text, 0); at < text.length; ) {
    const { token, end } = text[at] === "'" ? stringAt(text, at) : tokenAt(text, at)
    found.push(token)
    at = afterSpace(text, end)
  }
  found.push({ kind: 'end', text: '', position: text.length })
  return found
}

function afterSpace(text: string, start: number): number {
  let at = start
  while (at < text.length && text.charAt(at).trim() === '') at += 1
  return at
}

/** A string, in which two quotes stand for one; by hand, because a pattern needs stack for every character. */
function stringAt(text: string, position: number): { token: Token; end: number } {
  let at = position + 1
  for (;;) {
    const quote = text.indexOf("'", at)
    if (quote === -1) throw unreadable(position, 'a text without its closing quote')
    if (text[quote + 1] !== "'") {
      const value = text.slice(position + 1, quote).replaceAll("''", "'")
      return { token: { kind: 'string', text: value, position }, end: quote + 1 }
    }
    at = quote + 2
  }
}

function tokenAt(text: string, position: number): { token: Token; end: number } {
  tokenPattern.lastIndex = position
  const groups = tokenPattern.exec(text)?.groups
  const kind = (['number', 'word', 'symbol'] as const).find((name) => groups?.[name] !== undefined)
  if (!kind) throw unreadable(position, `"${text[position]}"`)
  return {
    token: { kind, text: groups?.[kind] ?? '', position },
    end: tokenPattern.lastIndex,
  }
}

function unreadable(position: number, found: string): WhereError {
  return new WhereError(position, 'a value, a column or an operator', found)
}

/** A part of a request as an error shows it. */
export function excerpt(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

/**
 * Parses a `where` expression: comparisons (`= != <> < <= > >=`) of columns, numbers, single-quoted texts, booleans and
 * null; `IS [NOT] NULL`; `NOT`, `AND`, `OR`, parentheses. Words of the grammar are read in any case.
 *
 * @throws {WhereError} with the position and what was expected there.
 */
export function parseWhere(text: string): Expression {
  if (text.length > longestText) {
    throw new WhereError(longestText, `at most ${longestText} characters`, 'more')
  }
  const list = tokens(text)
  let at = 0
  let depth = 0
  let operands = 0
  const peek = () => list[at] as Token // the end token stops every rule
  const isWord = (word: string) => peek().kind === 'word' && peek().text.toUpperCase() === word
  const isSymbol = (symbol: string) => peek().kind === 'symbol' && peek().text === symbol
  const fail = (expected: string): never => {
    const { kind, text: found, position } = peek()
    throw new WhereError(position, expected, kind === 'end' ? 'the end' : `"${excerpt(found)}"`)
  }

  function either(): Expression {
    return chain('or', both)
  }

  function both(): Expression {
    return chain('and', negation)
  }

  /** One level, however many operands it has: thousands inside each other would exhaust the stack. */
  function chain(kind: 'and' | 'or', next: () => Expression): Expression {
    const first = next()
    const operands = [first]
    while (isWord(kind.toUpperCase())) {
      at += 1
      operands.push(next())
    }
    return operands.length === 1 ? first : { kind, operands }
  }

  function negation(): Expression {
    let negated = false
    while (isWord('NOT')) {
      at += 1
      negated = !negated
    }
    const operand = comparison()
    return negated ? { kind: 'not', operand } : operand
  }

  function comparison(): Expression {
    const left = operand()
    if (isWord('IS')) return nullTest(left)
    const operator = comparisons.find(isSymbol)
    if (!operator) return left
    at += 1
    return { kind: 'compare', operator, left, right: operand() }
  }

  function nullTest(operand: Expression): Expression {
    at += 1
    const negated = isWord('NOT')
    if (negated) at += 1
    if (!isWord('NULL')) fail('NULL')
    at += 1
    return { kind: 'is-null', operand, negated }
  }

  function operand(): Expression {
    const { kind, text: found, position } = peek()
    operands += 1
    if (operands > mostOperands) fail(`at most ${mostOperands} values and columns`)
    if (isSymbol('(')) return parenthesised()
    if (isSymbol('-')) return negative(position)
    if (kind === 'symbol' || kind === 'end') return fail('a value or a column')
    at += 1
    if (kind === 'number') return { kind: 'literal', value: Number(found), position }
    if (kind === 'string') return { kind: 'literal', value: found, position }
    return wordOperand(found, position)
  }

  function parenthesised(): Expression {
    depth += 1
    if (depth > deepestNesting) fail(`at most ${deepestNesting} levels of parentheses`)
    at += 1
    const inner = either()
    depth -= 1
    if (!isSymbol(')')) fail('")", AND or OR')
    at += 1
    return inner
  }

  function negative(position: number): Expression {
    at += 1
    const { kind, text: found } = peek()
    if (kind !== 'number') fail('a number')
    at += 1
    return { kind: 'literal', value: -Number(found), position }
  }

  function wordOperand(word: string, position: number): Expression {
    const upper = word.toUpperCase()
    const constant = constants.get(upper)
    if (constant !== undefined) return { kind: 'literal', value: constant, position }
    if (reserved.has(upper)) {
      at -= 1
      return fail('a value or a column')
    }
    return { kind: 'column', name: word, position }
  }

  const expression = either()
  if (peek().kind !== 'end') fail('AND, OR or the end')
  return expression
}

const constants = new Map<string, Value>([
  ['TRUE', true],
  ['FALSE', false],
  ['NULL', null],
])

const reserved = new Set(['AND', 'OR', 'NOT', 'IS'])
