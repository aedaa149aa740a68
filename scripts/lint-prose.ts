import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TextlintKernel, type TextlintKernelRule } from '@textlint/kernel'
import markdown from '@textlint/textlint-plugin-markdown'
import { proseOf } from './prose.ts'

/** The files that are checked by default. */
const files = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'docs/**/*.md',
  'scripts/docs/*.md',
  'bench/*.md',
  '{src,mock,examples}/**/*.ts',
  'mock/**/*.tsx',
]

/** We do not change the wording of the specification, and the rules of the conformance suite quote it. */
const excluded = [
  'docs/reference/specification.md',
  'docs/reference/api/**',
  'src/conformance/rules/**',
]

// This rule has no type declarations.
const { default: prh } = createRequire(import.meta.url)('textlint-rule-prh') as {
  default: TextlintKernelRule['rule']
}

/** Matches terms across line breaks: each space in a pattern matches any white space. */
const terms = readFileSync(fileURLToPath(import.meta.resolve('./terms.yml')), 'utf8').replaceAll(
  /^ *(?:pattern:|-) \/.*$/gm,
  (pattern) => pattern.replaceAll(/(?<=\/.*) /g, '\\s+'),
)
const checks = { checkLink: true, checkBlockQuote: true, checkEmphasis: true }
const rules = [{ ruleId: 'prh', rule: prh, options: { ruleContents: [terms], ...checks } }]
const plugins = [{ pluginId: 'markdown', plugin: markdown.default }]
const kernel = new TextlintKernel()

/** Test titles after a link to their file, which are exact quotes. */
const testTitles = /(?<=\.test\.ts\): )"[^"|]+"(?:, "[^"|]+")*/g
const blank = (quoted: string) => '_'.repeat(quoted.length)

const named = process.argv.slice(2)
let findings = 0
const paths = named.length > 0 ? globSync(named) : globSync(files, { exclude: excluded })
for (const file of paths.toSorted()) await check(file)
console.log(findings === 0 ? 'No findings.' : `${findings} findings. Terms: scripts/terms.yml`)
process.exitCode = findings === 0 ? 0 : 1

async function check(file: string): Promise<void> {
  const source = readFileSync(file, 'utf8')
  const { text, columns } =
    extname(file) === '.md'
      ? { text: source.replaceAll(testTitles, blank), columns: [] }
      : proseOf(file, source)
  const options = { ext: '.md', filePath: file, plugins, rules }
  const { messages } = await kernel.lintText(text, options)
  for (const { loc, message, fix } of messages) {
    const { line, column } = loc.start
    const found = text.slice(...(fix?.range ?? [])).replaceAll(/\s+/g, ' ')
    const [, note] = message.split('\n')
    const place = `${file}:${line}:${column + (columns[line - 1] ?? 0)}`
    console.log(`${place} "${found}": write "${fix?.text}"${note ? ` (${note})` : ''}`)
    findings++
  }
}
