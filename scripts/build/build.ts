import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { entries } from '../../tsup.config.ts'
import { nameByContent, removeSchemas } from './declarations.ts'
import { writeDocuments } from './documents.ts'
import { shareDeclarations } from './shared-declarations.ts'

export function build(folder: string): void {
  bundle(folder)
  removeSchemas(folder)
  nameByContent(folder)
  shareDeclarations(folder, Object.keys(entries))
  writeDocuments(folder)
}

/** Omits the declarations, which take nine tenths of the time. */
export function buildCode(folder: string): void {
  bundle(folder, '--no-dts')
}

function bundle(folder: string, ...options: string[]): void {
  rmSync(folder, { recursive: true, force: true })
  execFileSync('npx', ['tsup', '--silent', '--out-dir', folder, ...options], { stdio: 'inherit' })
}

if (import.meta.main) build(process.argv[2] ?? 'dist')
