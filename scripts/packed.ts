import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build/build.ts'
import { packagedPages } from './release/packaged-pages.ts'

export interface PackedPackage {
  /** The path of the tarball. */
  tarball: string
  /** The size of all files in bytes. */
  unpackedSize: number
  /** The paths inside the package. */
  files: string[]
}

/** Packs the package in a folder. `fillDist` writes the build to the given folder. */
export function pack(folder: string, fillDist = build): PackedPackage {
  const home = join(folder, 'health-lab-sdk')
  mkdirSync(home, { recursive: true })
  const { files: listed } = JSON.parse(readFileSync('package.json', 'utf8'))
  const texts = globSync(listed.filter((pattern: string) => pattern !== 'dist'))
  for (const file of ['package.json', 'README.md', 'LICENSE', ...texts]) {
    cpSync(file, join(home, file))
  }
  for (const [file, text] of Object.entries(packagedPages())) writeFileSync(join(home, file), text)
  fillDist(join(home, 'dist'))
  const [facts] = JSON.parse(npm(folder, 'pack', './health-lab-sdk', '--json', '--ignore-scripts'))
  const files = facts.files.map(({ path }: { path: string }) => path)
  return {
    tarball: join(folder, facts.filename),
    unpackedSize: facts.unpackedSize,
    files,
  }
}

/** Runs the install scripts of only the `allowed` packages. */
export function installIn(folder: string, packages: string[], allowed: string[] = []): void {
  mkdirSync(folder, { recursive: true })
  const allowScripts = Object.fromEntries(allowed.map((name) => [name, true]))
  // This package depends on a tag that registry mirrors lack.
  const overrides = { verdaccio: { 'node-fetch': '2.7.0' } }
  const manifest = { name: 'consumer', private: true, type: 'module', allowScripts, overrides }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  npm(folder, 'install', '--no-audit', '--no-fund', '--save-exact', ...packages)
}

function npm(folder: string, ...parts: string[]): string {
  const env = { ...process.env, npm_config_loglevel: 'error' }
  return execFileSync('npm', parts, { cwd: folder, encoding: 'utf8', env, stdio: 'pipe' })
}
