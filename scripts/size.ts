import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'

/** Prints the size of `src` and `mock`, and indicators of code that is hard to read: `npm run lab size`. */
const sources = globSync('{src,mock}/**/*.{ts,tsx,css}').map((file) => {
  const text = readFileSync(file, 'utf8')
  return { file, text, lines: text.split('\n').length - 1 }
})
const inMock = sources.filter(({ file }) => file.startsWith('mock/'))
const shortest = 15
const sample = 40

const repeated = namesInSeveralFiles()
const rows: [string, number | string][] = [
  ['Files in src and mock', sources.length],
  ['Lines in src and mock', sum(sources.map(({ lines }) => lines))],
  ['Interfaces …Context', count(sources, /\binterface \w+Context\b/g)],
  ['`Pick<` in mock', count(inMock, /\bPick</g)],
  ['Exported names in more than one file', repeated.length],
  [`Files under ${shortest} lines`, sources.filter(({ lines }) => lines < shortest).length],
  [`Files with casts, of ${sample}`, filesWithCasts()],
]
console.log('| Measure | Now |\n|---|---|')
for (const [name, value] of rows) console.log(`| ${name} | ${value} |`)
if (process.argv.includes('--names')) {
  for (const [name, files] of repeated) console.log(`${name}: ${files.join(', ')}`)
}

/** Returns the exported names that several files declare. Styles and entry points declare none. */
function namesInSeveralFiles(): [name: string, files: string[]][] {
  const files = new Map<string, Set<string>>()
  const declaration =
    /^export (?:declare |default |abstract |async )*(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm
  for (const { file, text } of sources) {
    for (const [, name = ''] of text.matchAll(declaration)) {
      files.set(name, (files.get(name) ?? new Set()).add(file))
    }
  }
  return [...files]
    .filter(([, set]) => set.size > 1)
    .map(([name, set]): [string, string[]] => [name, [...set].sort()])
    .sort()
}

/** Returns the average number of files with a cast, per 40 files. Ignores `as const`. */
function filesWithCasts(): string {
  const code = sources.filter(({ file }) => !file.endsWith('.css'))
  const withCast = code.filter(({ file, text }) =>
    hasCast(ts.createSourceFile(file, text, ts.ScriptTarget.Latest)),
  )
  return ((withCast.length / code.length) * sample).toFixed(1)
}

function hasCast(node: ts.Node): boolean {
  const isCast = ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)
  return isCast || (ts.forEachChild(node, hasCast) ?? false)
}

function count(files: { text: string }[], pattern: RegExp): number {
  return sum(files.map(({ text }) => text.match(pattern)?.length ?? 0))
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
