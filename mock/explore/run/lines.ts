import { callSiteKey } from '../../../src/shared/stack.ts'

/**
 * Matches a stack frame: `at name (file:line:column)`, with or without the name. Skips the query string of a module's
 * URL.
 */
const frameForm = /^\s*at (?:.* \()?(?:file:\/\/)?(.+?)(?:\?[^:]*)?:(\d+):\d+\)?$/

/** Matches files of the platform and of packages, including this package. Such files are not part of the program. */
const foreign = /\/node_modules\/|^node:|^internal\/|^<anonymous>|^native$/

const ownFolders = ['src', 'mock', 'dist']

let ownPrefixes: readonly string[] | undefined

/** Returns the first program line in a stack, such as `src/orders.ts:12`, or undefined if there is none. */
export function programLine(stack: unknown): string | undefined {
  ownPrefixes ??= prefixesOf(ownFile() ?? '')
  const own = ownPrefixes
  const frame = framesOf(stack).find(
    ({ file }) => !foreign.test(file) && !own.some((prefix) => file.startsWith(prefix)),
  )
  return frame && `${shortenPath(frame.file)}:${frame.line}`
}

/** Returns a function that returns the stack of the program's call to `connection.fetch` or to a client method. */
export function callerStack(input: unknown): () => string | undefined {
  const here = new Error()
  const site: unknown = Reflect.get(Object(input), callSiteKey)
  return () => (site instanceof Error ? site.stack : here.stack)
}

/** Returns the path of this file, in the sources or in a bundle, or undefined if stacks contain no paths. */
export function ownFile(): string | undefined {
  return framesOf(new Error().stack)[0]?.file
}

function framesOf(stack: unknown): { file: string; line: string }[] {
  if (typeof stack !== 'string') return []
  return stack.split('\n').flatMap((text) => {
    const [, file, line] = frameForm.exec(text) ?? []
    return file && line ? [{ file, line }] : []
  })
}

function prefixesOf(file: string): string[] {
  const root = file.replace(/\/(?:mock|dist)\/(?!.*\/(?:mock|dist)\/).*$/, '')
  return root === file ? [] : ownFolders.map((folder) => `${root}/${folder}/`)
}

function shortenPath(file: string): string {
  const { process }: { process?: Partial<NodeJS.Process> } = globalThis
  const root = `${process?.cwd?.() ?? ''}/`
  return file.startsWith(root) ? file.slice(root.length) : file
}
