import { createHash } from 'node:crypto'
import { globSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/**
 * Removes the schemas, and every mention of zod, from the built declarations. An interface and its schema share a name,
 * so the bundler keeps both, but callers only need the interface.
 */
export function removeSchemas(folder: string): void {
  for (const file of globSync('**/*.d.ts', { cwd: folder }).map((name) => join(folder, name))) {
    // The compiler indents with four spaces, which take 22 KB in all files.
    const narrow = withoutSchemas(readFileSync(file, 'utf8')).replaceAll(/^(?: {4})+/gm, (indent) =>
      indent.slice(0, indent.length / 4),
    )
    writeFileSync(file, narrow)
  }
}

/**
 * Names the shared declarations after their content. The bundler derives the names from content that still includes the
 * schemas, and the compiler prints the types of schemas in an order that differs between identical builds.
 */
export function nameByContent(folder: string): void {
  const names = new Map<string, string>()
  const files = globSync('**/*.d.ts', { cwd: folder }).map((name) => join(folder, name))
  for (const file of files) {
    const [, title, old] = /([\w-]+)-([\w-]{8})\.d\.ts$/.exec(file) ?? []
    if (!title) continue
    const text = readFileSync(file, 'utf8').replaceAll(/-[\w-]{8}(?=\.js')/g, '')
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 8)
    names.set(`${title}-${old}`, `${title}-${hash}`)
  }
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    const rename = (name: string) => names.get(name) ?? name
    writeFileSync(file, text.replaceAll(/[\w-]+-[\w-]{8}(?=\.js')/g, rename))
    const [old = ''] = /[\w-]+(?=\.d\.ts$)/.exec(file) ?? []
    renameSync(file, file.replace(`${old}.d.ts`, `${rename(old)}.d.ts`))
  }
}

function withoutSchemas(declarations: string): string {
  const source = ts.createSourceFile('index.d.ts', declarations, ts.ScriptTarget.Latest)
  const kept = source.statements.filter((statement) => !mentionsZod(statement.getText(source)))
  return kept
    .map((statement) => withoutRemovedNames(statement, kept, source))
    .join('')
    .trimStart()
    .concat('\n')
}

/** An import or export keeps only the names that other statements mention. */
function withoutRemovedNames(
  statement: ts.Statement,
  kept: readonly ts.Statement[],
  source: ts.SourceFile,
): string {
  const text = statement.getFullText(source)
  const elements = namesOf(statement)
  if (!elements) return text
  const others = kept.filter((other) => other !== statement)
  // Ignore comments, because they may contain any word.
  const code = others.map((other) => other.getText(source).replaceAll(/\/\*.*?\*\//gs, ''))
  const mentioned = new Set(code.flatMap((text) => text.match(/[\w$]+/g) ?? []))
  const isUnused = ({ name, propertyName = name }: ts.ImportOrExportSpecifier) =>
    !mentioned.has(ts.isImportDeclaration(statement) ? name.text : propertyName.text)
  const left = elements.filter((element) => !isUnused(element))
  if (left.length === elements.length) return text
  if (left.length === 0) return ''
  return text.replace(/\{[^}]*\}/, `{ ${left.map((name) => name.getText(source)).join(', ')} }`)
}

/** Returns undefined for a statement other than an import or export. */
function namesOf(statement: ts.Statement): readonly ts.ImportOrExportSpecifier[] | undefined {
  const bindings = ts.isImportDeclaration(statement)
    ? statement.importClause?.namedBindings
    : ts.isExportDeclaration(statement) && !statement.moduleSpecifier
      ? statement.exportClause
      : undefined
  return bindings && 'elements' in bindings ? bindings.elements : undefined
}

function mentionsZod(statement: string): boolean {
  return /\bz\d*\.(?:ZodMini|core\b)|\bSchema<|'zod\b/.test(statement)
}
