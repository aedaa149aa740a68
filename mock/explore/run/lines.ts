import { callSiteKey } from '../../../src/shared/stack.ts'

/** A frame of a stack: `at name (file:line:column)`, or without a name; the query of a module's URL is not part of the file. */
const frameForm = /^\s*at (?:.* \()?(?:file:\/\/)?(.+?)(?:\?[^:]*)?:(\d+):\d+\)?$/

/** The files of the platform and of packages, such as this one, have no lines of the program. */
const foreign = /\/node_modules\/|^node:|^internal\/|^<anonymous>|^native$/

const ownFolders = ['src', 'mock', 'dist']

let ownPrefixes: readonly string[] | undefined

/** Returns the first line of the program in a stack, such as `src/orders.ts:12`; undefined if it has none. */
export function programLine(stack: unknown): string | undefined {
  ownPrefixes ??= prefixesOf(ownFile() ?? '')
  const own = ownPrefixes
  const frame = framesOf(stack).find(
    ({ file }) => !foreign.test(file) && !own.some((prefix) => file.startsWith(prefix)),
  )
  return frame && `${shortenPath(frame.file)}:${frame.line}`
}

/** Returns where the program calls `fetch` of the connection: itself, or through a method of the client. */
export function callerStack(input: unknown): () => string | undefined {
  const here = new Error()
  const site: unknown = Reflect.get(Object(input), callSiteKey)
  return () => (site instanceof Error ? site.stack : here.stack)
}

/** Returns the path of this file, in both builds of the package; undefined if stacks have no paths. */
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

/** The folders of this package, from the path of one of its files. */
function prefixesOf(file: string): string[] {
  const root = file.replace(/\/(?:mock|dist)\/(?!.*\/(?:mock|dist)\/).*$/, '')
  return root === file ? [] : ownFolders.map((folder) => `${root}/${folder}/`)
}

function shortenPath(file: string): string {
  const { process }: { process?: Partial<NodeJS.Process> } = globalThis
  const root = `${process?.cwd?.() ?? ''}/`
  return file.startsWith(root) ? file.slice(root.length) : file
}
