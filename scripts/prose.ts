import ts from 'typescript'

/** The prose in a source file as Markdown, and the indentation that was removed from each line. */
interface Prose {
  text: string
  columns: number[]
}

interface Piece {
  start: number
  text: string
}

/** Extracts the comments, messages and JSX text from a TypeScript file. Line numbers stay the same. */
export function proseOf(file: string, source: string): Prose {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const root = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, kind)
  const blank = source.replaceAll(/[^\n]/g, ' ').split('')
  for (const { start, text } of [...commentsOf(root), ...messagesOf(root)]) {
    blank.splice(start, text.length, ...text)
  }
  const lines = blank.join('').split('\n')
  const columns = lines.map((line) => line.search(/\S|$/))
  return { text: lines.map((line) => line.trim()).join('\n'), columns }
}

/** Removes markers, block tags and examples. */
function commentsOf(root: ts.SourceFile): Piece[] {
  const found = new Map<number, Piece>()
  const collect = (node: ts.Node) => {
    for (const { pos, end } of ts.getLeadingCommentRanges(root.text, node.pos) ?? []) {
      found.set(pos, { start: pos, text: withoutMarkers(root.text.slice(pos, end)) })
    }
    for (const child of node.getChildren(root)) if (!ts.isJSDoc(child)) collect(child)
  }
  collect(root)
  return [...found.values()]
}

function withoutMarkers(comment: string): string {
  const spaces = (part: string) => part.replaceAll(/[^\n]/g, ' ')
  return comment
    .replaceAll(/@example\b[\s\S]*?(?=\n\s*\* @|\*\/)/g, spaces)
    .replaceAll(/^\/\*+|\*+\/$|^\s*\*(?!\*)|^\/\/|@(?:param|template) \S+|@\w+/gm, spaces)
    .replaceAll(/\{\s*\S+[^}]*\}/g, hidden)
}

/** Replaces code with ellipses, so that the words around it do not form a phrase. */
function hidden(part: string): string {
  return part.replaceAll(/[^\n]/g, '…')
}

/** Includes strings, templates and JSX text of at least three words. */
function messagesOf(root: ts.SourceFile): Piece[] {
  const found: Piece[] = []
  const visit = (node: ts.Node) => {
    const piece = { start: node.getStart(root), text: node.getText(root) }
    if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) found.push(piece)
    if (ts.isTemplateExpression(node)) {
      found.push({ ...piece, text: withoutValues(node, root) })
    }
    ts.forEachChild(node, visit)
  }
  visit(root)
  return found.filter(({ text }) => /\S+\s+\S+\s+\S/.test(text.trim())).map(unquoted)
}

function withoutValues(node: ts.TemplateExpression, root: ts.SourceFile): string {
  const start = node.getStart(root)
  return node.templateSpans.reduce((text, { expression }) => {
    const [from, to] = [expression.getFullStart() - start - 2, expression.getEnd() - start + 1]
    return text.slice(0, from) + hidden(text.slice(from, to)) + text.slice(to)
  }, node.getText(root))
}

function unquoted({ start, text }: Piece): Piece {
  return { start, text: text.replaceAll(/^['"`]|['"`]$/g, ' ') }
}
