import { execFile, spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { blocksOf } from '../../docs/.vitepress/code/blocks.ts'
import { createProject } from '../../test/support/programs/project.ts'

const run = promisify(execFile)

export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0
}

export function createDayProject(receiverUrl: string): string {
  const project = createProject('dist', JSON.parse(readFileSync('package.json', 'utf8')))
  const write = (file: string, text: string) => writeFileSync(join(project, file), text)
  const fixture = blockOf('docs/testing/mock-server.md', 'yaml')
  write('people.yaml', fixture.replace('http://127.0.0.1:3000/events', receiverUrl))
  write('test_booking.py', blockOf('docs/testing/languages.md', 'python', 'import unittest'))
  cpSync('python/health_lab_mock', join(project, 'health_lab_mock'), { recursive: true })
  for (const file of ['book.py', 'follow-order.ts']) {
    copyFileSync(join('scripts/day', file), join(project, file))
  }
  return project
}

/** Adapts the example to a mock that is already served. */
export function copyPlaywrightExample(project: string, url: string): void {
  for (const file of ['playwright.config.ts', 'booking.spec.ts']) {
    const text = readFileSync(join('examples/playwright', file), 'utf8')
    writeFileSync(join(project, file), text.replace('http://127.0.0.1:4010', url))
  }
}

/** Returns the output. Rejects if the program fails. */
export async function runProgram(
  cwd: string,
  variables: Record<string, string>,
  [program = '', ...flags]: string[],
): Promise<string> {
  const env = { ...process.env, ...variables }
  const { stdout, stderr } = await run(program, flags, { cwd, env, timeout: 120_000 })
  return stdout + stderr
}

function blockOf(page: string, language: string, start = ''): string {
  const blocks = blocksOf(readFileSync(page, 'utf8'))
  const block = blocks.find((found) => found.language === language && found.code.startsWith(start))
  if (!block) throw new Error(`${page} has no such code block in ${language}.`)
  return block.code
}
