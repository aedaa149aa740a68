import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { reportFolder } from '../../scripts/api-reports.ts'

const changelog = 'CHANGELOG.md'

/** What git prints in a folder; undefined when it fails. */
function git(folder: string, ...words: string[]): string | undefined {
  try {
    return execFileSync('git', words, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return undefined
  }
}

/**
 * Whether the changelog was written to when the reports of the API last changed, or since. This needs no tag and no
 * branch to compare with; a clone without history has but one commit, in which both changed.
 */
function isTold(folder: string): boolean {
  const isTouched = (path: string) => git(folder, 'status', '--porcelain', '--', path) !== ''
  if (isTouched(changelog)) return true
  if (isTouched(reportFolder)) return false
  const [api, told] = [reportFolder, changelog].map((path) => latest(folder, path))
  return git(folder, 'merge-base', '--is-ancestor', `${api}`, `${told}`) !== undefined
}

function latest(folder: string, path: string): string | undefined {
  return git(folder, 'log', '-1', '--format=%H', '--', path)
}

it('tells of the latest change of the API', ({ skip }) => {
  skip(git('.', 'rev-parse', 'HEAD') === undefined, 'without git there is no history')
  expect(isTold('.'), `the reports of the API changed after ${changelog}`).toBe(true)
})

it('notices a change of the API of which the changelog says nothing', () => {
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
    found.push(isTold(folder))
  }
  expect(found).toEqual([true, true, true, false, false, false, false, true, true, true, true])
})

it('has a section for the version, with its date, and one for what comes', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const titles = readFileSync(changelog, 'utf8').match(/^## .*$/gm) ?? []
  expect(titles[0]).toBe('## [Unreleased]')
  expect(titles[1]).toMatch(/^## \[[\d.]+\] - \d{4}-\d{2}-\d{2}$/)
  expect(titles[1]).toContain(`[${version}]`)
})
