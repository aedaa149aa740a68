import { execFileSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, posix } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))

const pages = ['README.md', ...globSync(manifest.files as string[])].filter((file) =>
  /\.(?:md|txt)$/.test(file),
)

/** Copies what npm packs, except the build, and the script that it runs before and after. */
function copyWith(fields: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'health-lab-sdk-pages-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const file of [...pages, 'LICENSE', 'scripts/release/packaged-pages.ts']) {
    cpSync(file, join(folder, file))
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, ...fields }))
  return folder
}

function run(cwd: string, command: string, ...parts: string[]): void {
  // Scripts of npm start the first `node` of the path.
  const path = [dirname(process.execPath), process.env['PATH']].join(delimiter)
  execFileSync(command, parts, { cwd, env: { ...process.env, PATH: path }, stdio: 'pipe' })
}

/** Packs the folder, and returns the folder with the contents of the tarball. */
function packed(folder: string): string {
  run(folder, 'npm', 'pack', '--silent')
  mkdirSync(join(folder, 'unpacked'))
  run(folder, 'tar', '-xzf', `health-lab-sdk-${manifest.version}.tgz`, '-C', 'unpacked')
  return join(folder, 'unpacked/package')
}

/** Returns the relative links of the pages to files that the folder does not contain. */
function deadLinksIn(folder: string): string[] {
  const files = globSync('**/*', { cwd: folder })
  return pages.flatMap((page) => {
    const prose = readFileSync(join(folder, page), 'utf8').replaceAll(/^```.*?^```$/gms, '')
    const links = [...prose.matchAll(/\]\(<?([^)#>\s]+)/g)].map(([, link = '']) => link)
    return links
      .filter((link) => !/^\w+:/.test(link))
      .filter((link) => !files.includes(posix.join(posix.dirname(page), link)))
      .map((link) => `${page}: ${link}`)
  })
}

it('packs pages whose relative links all lead to packaged files', () => {
  const folder = copyWith({})
  expect(deadLinksIn(folder)).not.toEqual([])
  const contents = packed(folder)
  expect(deadLinksIn(contents)).toEqual([])
  const page = readFileSync(join(contents, 'docs/tasks/events-to-database.md'), 'utf8')
  expect(page).toContain('[webhooks](../guides/webhooks.md), events.')
})

it('packs links to the homepage if there is one', () => {
  const contents = packed(copyWith({ homepage: 'https://docs.example.com' }))
  expect(deadLinksIn(contents)).toEqual([])
  const page = readFileSync(join(contents, 'docs/tasks/events-to-database.md'), 'utf8')
  expect(page).toContain('[events](https://docs.example.com/reference/events.html)')
})

it('leaves the pages of the repository as they were', () => {
  const folder = copyWith({})
  packed(folder)
  const changed = (page: string) =>
    readFileSync(join(folder, page), 'utf8') !== readFileSync(page, 'utf8')
  expect(pages.filter(changed)).toEqual([])
})

it('keeps what someone writes while npm packs', () => {
  const folder = copyWith({})
  const script = 'scripts/release/packaged-pages.ts'
  run(folder, 'node', script, 'prepack')
  const page = join(folder, 'docs/tasks/events-to-database.md')
  writeFileSync(page, 'new text')
  run(folder, 'node', script, 'postpack')
  expect(readFileSync(page, 'utf8')).toBe('new text')
  expect(readFileSync(join(folder, 'docs/tasks/limits.md'), 'utf8')).toBe(
    readFileSync('docs/tasks/limits.md', 'utf8'),
  )
})
