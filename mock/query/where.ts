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
  | { kind: 'and' | 'or'; left: Expression; right: Expression }

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
  /\s*(?:(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|'(?<string>(?:[^']|'')*)'|(?<word>[A-Za-z_][A-Za-z0-9_.]*)|(?<symbol><=|>=|<>|!=|[=<>()-]))/y

function tokens(text: string): Token[] {
  const found: Token[] = []
  tokenPattern.lastIndex = 0
  for (let at = 0; ; at = tokenPattern.lastIndex) {
    const rest = text.slice(at)
    const position = at + rest.length - rest.trimStart().length
    if (position === text.length) return [...found, { kind: 'end', text: '', position }]
    tokenPattern.lastIndex = at
    const groups = tokenPattern.exec(text)?.groups
    if (!groups)
      throw new WhereError(position, 'a value, a column or an operator', unreadable(text, position))
    const kind = (['number', 'string', 'word', 'symbol'] as const).find(
      (name) => groups[name] !== undefined,
    )
    if (kind) found.push({ kind, text: groups[kind] ?? '', position })
  }
}

function unreadable(text: string, position: number): string {
  return text[position] === "'" ? 'a text without its closing quote' : `"${text[position]}"`
}

const deepestNesting = 100

/**
 * Parses a `where` expression: comparisons (`= != <> < <= > >=`) of columns, numbers, single-quoted texts, booleans and
 * null; `IS [NOT] NULL`; `NOT`, `AND`, `OR`, parentheses. Words of the grammar are read in any case.
 *
 * @throws {WhereError} with the position and what was expected there.
 */
export function parseWhere(text: string): Expression {
  const list = tokens(text)
  let at = 0
  let depth = 0
  const peek = () => list[at] as Token // the end token stops every rule
  const isWord = (word: string) => peek().kind === 'word' && peek().text.toUpperCase() === word
  const isSymbol = (symbol: string) => peek().kind === 'symbol' && peek().text === symbol
  const fail = (expected: string): never => {
    const { kind, text: found, position } = peek()
    throw new WhereError(position, expected, kind === 'end' ? 'the end' : `"${found}"`)
  }

  function either(): Expression {
    let left = both()
    while (isWord('OR')) {
      at += 1
      left = { kind: 'or', left, right: both() }
    }
    return left
  }

  function both(): Expression {
    let left = negation()
    while (isWord('AND')) {
      at += 1
      left = { kind: 'and', left, right: negation() }
    }
    return left
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
    if (isSymbol('(')) return parenthesised()
    if (isSymbol('-')) return negative(position)
    if (kind === 'symbol' || kind === 'end') return fail('a value or a column')
    at += 1
    if (kind === 'number') return { kind: 'literal', value: Number(found), position }
    if (kind === 'string') return { kind: 'literal', value: found.replaceAll("''", "'"), position }
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
    const constants: Record<string, Value> = { TRUE: true, FALSE: false, NULL: null }
    const constant = constants[upper]
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

const reserved = new Set(['AND', 'OR', 'NOT', 'IS'])
