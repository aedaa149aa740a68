import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/**
 * Removes the schemas, and with them every mention of zod, from the built declarations. An interface and its schema
 * share one name, so the bundler of declarations keeps both; callers need the interface only.
 */
export function removeSchemas(folder: string): void {
  for (const file of globSync('**/*.d.ts', { cwd: folder }).map((name) => join(folder, name))) {
    writeFileSync(file, withoutSchemas(readFileSync(file, 'utf8')))
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

/** Returns a statement. An import or export keeps only the names that other statements mention. */
function withoutRemovedNames(
  statement: ts.Statement,
  kept: readonly ts.Statement[],
  source: ts.SourceFile,
): string {
  const text = statement.getFullText(source)
  const elements = namesOf(statement)
  if (!elements) return text
  const others = kept.filter((other) => other !== statement)
  // A comment may have any word.
  const code = others.map((other) => other.getText(source).replaceAll(/\/\*.*?\*\//gs, ''))
  const mentioned = new Set(code.flatMap((text) => text.match(/[\w$]+/g) ?? []))
  const isUnused = ({ name, propertyName = name }: ts.ImportOrExportSpecifier) =>
    !mentioned.has(ts.isImportDeclaration(statement) ? name.text : propertyName.text)
  const left = elements.filter((element) => !isUnused(element))
  if (left.length === elements.length) return text
  if (left.length === 0) return ''
  return text.replace(/\{[^}]*\}/, `{ ${left.map((name) => name.getText(source)).join(', ')} }`)
}

/** Returns the names of an import or export; undefined for any other statement. */
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
