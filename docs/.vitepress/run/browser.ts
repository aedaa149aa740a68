import type { Block, Program } from '../code/blocks.ts'
import { toJavaScript } from './javascript.ts'
import { sandboxModules } from './modules.ts'

/** A block of a program that runs in tests. */
export interface RunnableBlock {
  block: Block
  /** The program's file name. */
  program: string
  /** The number of blocks before this one in the program, which run together with this one. */
  place: number
  /** Why the block does not run in a browser; undefined if it does. */
  obstacle?: string
}

/** Returns the blocks of programs that run, and why some of them need Node. */
export function runnableBlocks(
  programs: readonly Program[],
  files: ReadonlyMap<string, string>,
): RunnableBlock[] {
  return programs
    .filter(({ isRun }) => isRun)
    .flatMap(({ file, text, parts }) =>
      parts.map(({ block, start }, place) => {
        const obstacle = obstacleOf(text.slice(0, start + block.code.length), files)
        return { block, program: file, place, ...(obstacle ? { obstacle } : {}) }
      }),
    )
}

/** Returns the imports and globals of a program that browsers do not have, such as `express, process.env`. */
function obstacleOf(text: string, files: ReadonlyMap<string, string>): string | undefined {
  const code = toJavaScript(text)
  const missing = importsOf(code).filter((name) => !canImport(name, files))
  // Not `process` in names such as `messaging.process.duration`.
  const globals = code.match(/(?<![\w.])(?:process|Buffer)\.\w+/g) ?? []
  return [...new Set([...missing, ...globals])].join(', ') || undefined
}

function canImport(name: string, files: ReadonlyMap<string, string>): boolean {
  const file = files.get(name.replace(/^\.\//, ''))
  return name in sandboxModules || (file !== undefined && obstacleOf(file, files) === undefined)
}

function importsOf(code: string): string[] {
  return [...code.matchAll(/\brequire\('([^']+)'\)/g)].map(([, name = '']) => name)
}

/** Returns the files that programs import, such as `book-lab-test.ts`, with their text. */
export function sharedFiles(programs: readonly Program[]): Map<string, string> {
  const shared = programs.filter(({ isFile }) => isFile)
  return new Map(shared.map(({ file, text }) => [file, text]))
}
