export interface Rule {
  /** The section and a name, such as `4.8/rule-2`. */
  id: string
  /** The sentences and table rows of the section that state the rule, word for word. */
  quotes: readonly string[]
  /** Why no case can check the rule. */
  reason?: string
}

/** The quotes alone, or all fields if the rule also has a reason. */
type RuleDefinition = string | readonly string[] | RuleFields
type RuleFields = Omit<Rule, 'id' | 'quotes'> & { quotes: string | readonly string[] }

export function defineRules(definitions: Record<string, RuleDefinition>): Rule[] {
  return Object.entries(definitions).map(([id, definition]) => {
    const { quotes, ...fields } = hasFields(definition) ? definition : { quotes: definition }
    return { id, quotes: [quotes].flat(), ...fields }
  })
}

function hasFields(definition: RuleDefinition): definition is RuleFields {
  return typeof definition === 'object' && 'quotes' in definition
}

export function formatQuote(quote: string): string {
  return quote.startsWith('|') ? cellsOf(quote).join('; ') : quote
}

/** Returns the non-empty cells of a table row. */
export function cellsOf(row: string): string[] {
  const cells = row.slice(1, -1).split('|')
  return cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
}
