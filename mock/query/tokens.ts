import { WhereError } from './expression.ts'

export interface Token {
  /** `end` is the last token of every expression. */
  kind: 'number' | 'string' | 'word' | 'symbol' | 'end'
  /** The token as written, or the unescaped value of a string literal. */
  text: string
  /** The zero-based position in the expression. */
  position: number
}

const tokenPattern =
  /(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?<word>[A-Za-z_][A-Za-z0-9_.]*)|(?<symbol><=|>=|<>|!=|[=<>()-])/y

/** @throws {WhereError} for an unknown character or an unterminated string. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  for (let at = skipSpace(text, 0); at < text.length; ) {
    const { token, end } = text[at] === "'" ? stringAt(text, at) : tokenAt(text, at)
    tokens.push(token)
    at = skipSpace(text, end)
  }
  tokens.push({ kind: 'end', text: '', position: text.length })
  return tokens
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (at < text.length && text.charAt(at).trim() === '') at += 1
  return at
}

/**
 * Parses a string literal, in which two single quotes represent one. Does not use a regular expression, which would
 * need stack space for every character.
 */
function stringAt(text: string, position: number): { token: Token; end: number } {
  let at = position + 1
  for (;;) {
    const quote = text.indexOf("'", at)
    if (quote === -1) throw invalidToken(position, 'a string without a closing quote')
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
  if (!kind) throw invalidToken(position, `"${text[position]}"`)
  return {
    token: { kind, text: groups?.[kind] ?? '', position },
    end: tokenPattern.lastIndex,
  }
}

function invalidToken(position: number, found: string): WhereError {
  return new WhereError(position, 'a value, a column or an operator', found)
}
