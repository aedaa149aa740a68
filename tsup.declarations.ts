import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/**
 * An interface and its schema share one name, so the bundler of declarations keeps both. Callers get the interface
 * only: the schemas are taken out, and with them every mention of zod.
 */
const folder = process.argv[2] ?? 'dist'
for (const file of globSync('**/*.d.ts', { cwd: folder }).map((name) => join(folder, name))) {
  writeFileSync(file, withoutSchemas(readFileSync(file, 'utf8')))
}

function withoutSchemas(declarations: string): string {
  const source = ts.createSourceFile('index.d.ts', declarations, ts.ScriptTarget.Latest)
  const kept = source.statements.filter((statement) => !mentionsZod(statement.getText(source)))
  return kept
    .map((statement) => statement.getFullText(source))
    .join('')
    .trimStart()
    .concat('\n')
}

function mentionsZod(statement: string): boolean {
  return /\bz\d*\.(?:ZodMini|core\b)|\bSchema<|'zod\b/.test(statement)
}
