import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { buildCode } from '../../../scripts/build/build.ts'

/** Installs the code of the package as it is published, in `node_modules` of a folder in this repository. */
export function install(folder: string): void {
  const home = join(folder, 'node_modules/health-lab-sdk')
  mkdirSync(home, { recursive: true })
  cpSync('package.json', join(home, 'package.json'))
  buildCode(join(home, 'dist'))
}
