import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { build } from 'esbuild'
import { lazyEntries } from './lazy-files.ts'

/**
 * Joins the shared parts that the same entry points load, because each file takes time to load. They are apart only because
 * of the files that are loaded on demand, which need some of them.
 *
 * @param folder The folder of the built ES modules.
 * @param names Their paths in this folder.
 * @returns The code of each file that is left, and the new file of each part that was joined.
 */
export async function joinParts(folder: string, names: readonly string[]) {
  const code = new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
  const homes = new Map<string, string>()
  for (const parts of joinable(code)) {
    const home = parts[0] ?? ''
    const joined = await joinedCode(folder, parts)
    for (const part of parts) {
      homes.set(part, home)
      code.delete(part)
    }
    code.set(home, joined)
  }
  return { code, homes }
}

/** The export of a joined file that has the exports of one of its parts. */
export function exportedPart(part: string): string {
  return posix.basename(part, '.cjs').replace('-', '_')
}

/** Returns the lists of parts of the mock that the same entry points load at once. */
function joinable(code: ReadonlyMap<string, string>): string[][] {
  const entries = [...code.keys()].filter((name) => !isGenerated(name) && !isLazy(name))
  const loaded = entries.map((entry) => loadedBy(entry, code))
  const parts = [...loadedBy('cjs/mock/index.cjs', code)].filter(isShared).toSorted()
  const groups = Object.groupBy(parts, (part) => loaded.map((names) => names.has(part)).join())
  return Object.values(groups).flatMap((group) => (group && group.length > 1 ? [group] : []))
}

function isLazy(name: string): boolean {
  return name.replace(/\.cjs$/, '') in lazyEntries
}

/** Returns a file and all files that it imports. */
function loadedBy(entry: string, code: ReadonlyMap<string, string>): Set<string> {
  const loaded = new Set([entry])
  for (const name of loaded) {
    for (const [, path = ''] of (code.get(name) ?? '').matchAll(staticImport)) {
      loaded.add(posix.join(posix.dirname(name), path))
    }
  }
  return loaded
}

/** An import as esbuild prints it. */
const staticImport = /^(?:import|export)\b[^;'"]*"(\.[^"]+)";$/gm

/** Joins parts into one ES module. */
async function joinedCode(folder: string, parts: readonly string[]): Promise<string> {
  const paths = parts.map((part) => `./${posix.basename(part)}`)
  const { outputFiles } = await build({
    stdin: {
      contents: parts
        .map((part, index) => `export * as ${exportedPart(part)} from '${paths[index]}'`)
        .join('\n'),
      resolveDir: join(folder, posix.dirname(parts[0] ?? '')),
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    plugins: [
      {
        name: 'parts',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^/ }, ({ path }) =>
            paths.includes(path) ? undefined : { path, external: true },
          ),
      },
    ],
  })
  return outputFiles[0]?.text ?? ''
}

/** Whether esbuild named a file: an entry point that is imported on demand, or a shared part. */
export function isGenerated(name: string): boolean {
  return /-[A-Z\d]{8}\.\w+$/.test(name)
}

function isShared(name: string): boolean {
  return /\/chunk-[A-Z\d]{8}\.\w+$/.test(name)
}
