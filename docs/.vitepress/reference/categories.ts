import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import {
  Comment,
  CommentTag,
  type DeclarationReflection,
  type ProjectReflection,
  ReflectionKind,
} from 'typedoc'
import ts from 'typescript'
import { categories, exportedAgain } from './category-list.ts'

/** Puts each export into the category of the source file that declares it. */
export function categorize(project: ProjectReflection): void {
  for (const module of project.getChildrenByKind(ReflectionKind.Module)) {
    const entry = entryOf(module.name)
    const files = declaringFiles(entry)
    for (const child of module.children ?? []) {
      const isOwn = !child.isReference()
      addCategory(child, isOwn ? categoryOf(files.get(child.name) ?? entry) : exportedAgain)
    }
  }
}

/** Returns the source of an entry point, such as `mock/server.ts` for the module `mock/server`. */
function entryOf(module: string): string {
  if (module === 'client') return 'src/index.ts'
  if (module === 'mock') return 'mock/index.ts'
  if (module === 'otel') return 'src/otel.ts'
  return module.startsWith('mock/') ? `${module}.ts` : `src/${module}/index.ts`
}

/** Returns the declaring file for each name that an entry point exports. */
export function declaringFiles(entry: string): Map<string, string> {
  const source = ts.createSourceFile(entry, readFileSync(entry, 'utf8'), ts.ScriptTarget.Latest)
  const exports = source.statements.filter(ts.isExportDeclaration)
  return new Map(
    exports.flatMap(({ moduleSpecifier, exportClause }) => {
      if (!moduleSpecifier || !exportClause || !ts.isNamedExports(exportClause)) return []
      // The parser has checked that the specifier is a string.
      const { text } = moduleSpecifier as ts.StringLiteral
      const file = posix.join(posix.dirname(entry), text)
      return exportClause.elements.map(({ name }): [string, string] => [name.text, file])
    }),
  )
}

/** Returns the title of the category that contains a file's exports. */
export function categoryOf(file: string): string {
  const found = categories.find(({ files }) => files.some((prefix) => file.startsWith(prefix)))
  if (!found) throw new Error(`Add ${file} to a category in category-list.ts.`)
  return found.title
}

function addCategory(reflection: DeclarationReflection, title: string): void {
  const tag = () => new CommentTag('@category', [{ kind: 'text', text: title }])
  const commented = reflection.signatures ?? [reflection]
  for (const each of commented) {
    each.comment ??= new Comment()
    each.comment.blockTags.push(tag())
  }
}
