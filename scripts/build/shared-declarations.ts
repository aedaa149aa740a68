import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/**
 * Moves the built declarations to `cjs`, which both builds use. An ES module may import the types of CommonJS, but not
 * vice versa. As a result, a class has the same type in both builds. Declarations that import a package exist twice,
 * because a package's types may differ between ES modules and CommonJS.
 */
export function shareDeclarations(folder: string, entries: readonly string[]): void {
  for (const file of globSync('**/*.d.ts', { cwd: folder })) {
    const text = readFileSync(join(folder, file), 'utf8')
    const common = posix.join('cjs', file.replace(/\.d\.ts$/, '.d.cts'))
    // Vitest is only an ES module.
    if (!text.includes("from 'vitest'")) {
      write(join(folder, common), renameImports(text, toExtension))
    }
    const kept = isBound(text)
      ? renameImports(text, (path) => toShared(path, file))
      : entries.includes(file.replace(/\.d\.ts$/, ''))
        ? `export * from '${pathTo(common.replace('.d.cts', '.cjs'), file)}'\n`
        : undefined
    if (kept) writeFileSync(join(folder, file), kept)
    else rmSync(join(folder, file))
  }
}

/** Returns whether the declaration imports a package. */
function isBound(declaration: string): boolean {
  return /^import .* from '[^.]/m.test(declaration)
}

function renameImports(declaration: string, rename: (path: string) => string): string {
  return declaration.replace(
    /((?:\bfrom |\bimport |\bimport\()')(\.[^']*\.js)'/g,
    (_, start: string, path: string) => `${start}${rename(path)}'`,
  )
}

function toExtension(path: string): string {
  return path.replace(/\.js$/, '.cjs')
}

/** Returns the path from a file to the shared declarations of its import. */
function toShared(path: string, file: string): string {
  return pathTo(posix.join('cjs', dirname(file), toExtension(path)), file)
}

function pathTo(target: string, file: string): string {
  const path = posix.relative(dirname(file), target)
  return path.startsWith('.') ? path : `./${path}`
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
