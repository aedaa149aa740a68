import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'

const { files, homepage } = JSON.parse(readFileSync('package.json', 'utf8'))

/** The original text of the rewritten pages while npm packs the package. */
const originals = 'scratch/packaged-pages.json'

const packaged = new Set(['README.md', 'LICENSE', 'package.json', ...globSync(files as string[])])

/**
 * Returns the packaged pages that link to a page outside the package, by file, in the form for the package: the links
 * lead to the homepage, or become plain text if there is none.
 */
export function packagedPages(): Record<string, string> {
  const pages = [...packaged].filter((file) => /\.(?:md|txt)$/.test(file))
  const texts = pages.map((file) => [file, readFileSync(file, 'utf8')] as const)
  return Object.fromEntries(
    texts
      .map(([file, text]) => [file, text, rewritten(file, text)] as const)
      .filter(([, text, changed]) => text !== changed)
      .map(([file, , changed]) => [file, changed]),
  )
}

function rewritten(file: string, text: string): string {
  const codeOrLink = /^```[\s\S]*?^```|\[((?:[^\][]|\[[^\]]*\])*)\]\(([^)\s]+)\)/gm
  return text.replace(codeOrLink, (found, label?: string, link = '') => {
    if (label === undefined || /^(?:\w+:|#)/.test(link)) return found
    const [target, anchor] = link.split('#')
    const path = posix.join(posix.dirname(file), target)
    if (packaged.has(path)) return found
    const page = /^docs\/(.+)\.md$/.exec(path)?.[1]
    return homepage && page
      ? `[${label}](${homepage}/${page}.html${anchor ? `#${anchor}` : ''})`
      : label
  })
}

/** The `prepack` script. npm can only pack a file under its own path, so this writes to the working tree. */
function prepack(): void {
  postpack()
  const pages = packagedPages()
  mkdirSync(posix.dirname(originals), { recursive: true })
  const kept = Object.entries(pages).map(([file, text]) => [file, text, readFileSync(file, 'utf8')])
  writeFileSync(originals, JSON.stringify(kept))
  for (const [file, text] of Object.entries(pages)) writeFileSync(file, text)
}

/** Restores the pages, except those that someone has changed since `prepack`. */
function postpack(): void {
  if (!existsSync(originals)) return
  const kept: [file: string, packed: string, original: string][] = JSON.parse(
    readFileSync(originals, 'utf8'),
  )
  for (const [file, packed, original] of kept) {
    if (readFileSync(file, 'utf8') === packed) writeFileSync(file, original)
  }
  rmSync(originals)
}

if (import.meta.main) (process.argv[2] === 'prepack' ? prepack : postpack)()
