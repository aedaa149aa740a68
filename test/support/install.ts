import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '../../scripts/build/build.ts'

/** Installs the package in the form in which it is published, in `node_modules` of a folder in this repository. */
export function install(folder: string): void {
  const home = join(folder, 'node_modules/health-lab-sdk')
  mkdirSync(home, { recursive: true })
  cpSync('package.json', join(home, 'package.json'))
  build(join(home, 'dist'))
}
