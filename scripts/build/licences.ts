import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the name and licence of each package that owns one of the files. */
export function licencesOf(files: readonly string[]): string[] {
  const homes = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [])
  return [...new Set(homes)].toSorted().map(licenceOf)
}

function licenceOf(home: string): string {
  const name = home.slice(home.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const file = ['LICENSE', 'LICENSE.md', 'license'].find((title) => existsSync(join(home, title)))
  if (!file) throw new Error(`${name} has no licence file`)
  return `${name}\n\n${readFileSync(join(home, file), 'utf8').trim()}\n`
}
