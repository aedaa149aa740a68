import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { reportFolder } from '../../scripts/api-reports.ts'

const changelog = 'CHANGELOG.md'

/** Returns the output of git in a folder; undefined if git fails. */
function git(folder: string, ...words: string[]): string | undefined {
  try {
    return execFileSync('git', words, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return undefined
  }
}

/**
 * Returns whether the changelog changed with the last change of the API reports, or later. This needs no tag or branch to
 * compare with; in a clone without history, both changed in the only commit.
 */
function hasEntry(folder: string): boolean {
  const isModified = (path: string) => git(folder, 'status', '--porcelain', '--', path) !== ''
  if (isModified(changelog)) return true
  if (isModified(reportFolder)) return false
  const [api, entry] = [reportFolder, changelog].map((path) => latest(folder, path))
  return git(folder, 'merge-base', '--is-ancestor', `${api}`, `${entry}`) !== undefined
}

function latest(folder: string, path: string): string | undefined {
  return git(folder, 'log', '-1', '--format=%H', '--', path)
}

it('mentions the latest change of the API', ({ skip }) => {
  skip(git('.', 'rev-parse', 'HEAD') === undefined, 'the history is only available with git')
  expect(hasEntry('.'), `the API reports changed after ${changelog}`).toBe(true)
})

it('detects a change of the API without a change of the changelog', () => {
  const folder = mkdtempSync(join(tmpdir(), 'health-lab-sdk-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const commit = () => {
    git(folder, 'add', '--all')
    const person = ['-c', 'user.name=A', '-c', 'user.email=a@example.test']
    git(folder, ...person, 'commit', '--message', 'A change')
  }
  git(folder, 'init')
  const found: boolean[] = []
  for (const step of [
    () => write(changelog, 'one'),
    () => write(`${reportFolder}/index.api.md`, 'one'),
    commit,
    () => write(`${reportFolder}/index.api.md`, 'two'),
    commit,
    () => write('src/index.ts', 'two'),
    commit,
    () => write(changelog, 'two'),
    commit,
    () => write('src/index.ts', 'three'),
    commit,
  ]) {
    step()
    found.push(hasEntry(folder))
  }
  expect(found).toEqual([true, true, true, false, false, false, false, true, true, true, true])
})

it('has an unreleased section, and a section with a date for the current version', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const titles = readFileSync(changelog, 'utf8').match(/^## .*$/gm) ?? []
  expect(titles[0]).toBe('## [Unreleased]')
  expect(titles[1]).toMatch(/^## \[[\d.]+\] - \d{4}-\d{2}-\d{2}$/)
  expect(titles[1]).toContain(`[${version}]`)
})
