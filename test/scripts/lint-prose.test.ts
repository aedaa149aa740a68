import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prose-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Lints one file; the findings without the folder and without the notes in brackets. */
function lint(name: string, lines: string[]) {
  const file = join(folder, name)
  writeFileSync(file, lines.join('\n'))
  const { status, stdout } = spawnSync(process.execPath, ['scripts/lint-prose.ts', file], {
    encoding: 'utf8',
  })
  const findings = stdout.split('\n').filter((line) => line.startsWith(file))
  return {
    status,
    findings: findings.map((line) => line.slice(folder.length + 1).replace(/ \(.*$/, '')),
  }
}

it('reports the place and the suggestion of each term in Markdown', () => {
  const { status, findings } = lint('page.md', [
    '# The answer',
    '',
    '- What is left',
    '  out is *made up*, [anew](https://example.com/answer).',
    '',
    '`answer` is code.',
    '',
    '```ts',
    'const answer = told',
    '```',
  ])
  expect(findings).toEqual([
    'page.md:1:7 "answer": write "response"',
    'page.md:3:3 "What is left out": write "omitted fields"',
    'page.md:4:11 "made up": write "generated"',
    'page.md:4:22 "anew": write "again"',
  ])
  expect(status).toBe(1)
})

it('reads comments, messages and JSX texts of source files, and nothing else', () => {
  const { status, findings } = lint('page.tsx', [
    "import { tell } from './answer.ts'",
    '/**',
    ' * No response came, for the',
    ' * connection failed. See {@link answer} and `answer`.',
    ' * @param answer of the service',
    ' * @example',
    ' * const answer = tell(door)',
    ' */',
    'export function page(answer: string, id = "answer") {',
    '  // Tells hooks what happens.',
    '  if (!answer) throw new Error(`$' +
      '{tell(answer, "the door was closed")} was answered $' +
      '{id}`)',
    '  return <p title="answer">Whoever reads this page</p>',
    '}',
  ])
  expect(findings).toEqual([
    'page.tsx:3:20 ", for the connection failed": write "because"',
    'page.tsx:10:6 "Tells": write "report"',
    'page.tsx:11:53 "door": write "adapter"',
    'page.tsx:11:76 "answered": write "response"',
    'page.tsx:12:28 "Whoever": write "users, callers, contributors"',
  ])
  expect(status).toBe(1)
})

it('passes a file that follows the terms', () => {
  const text = '/** Returns the response of the service, for tests without a network. */'
  expect(lint('right.ts', [text])).toEqual({ status: 0, findings: [] })
})
