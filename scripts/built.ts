import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** Builds the package into a folder, as it is published. */
export function build(folder: string): void {
  execFileSync('npx', ['tsup', '--out-dir', folder], { stdio: 'ignore' })
  execFileSync(process.execPath, ['scripts/build/declarations.ts', folder], { stdio: 'ignore' })
  execFileSync(process.execPath, ['scripts/build/openapi.ts', folder], { stdio: 'ignore' })
  execFileSync(process.execPath, ['scripts/build/command.ts', folder], { stdio: 'ignore' })
}

/** Installs the package, as it is published, beside the tests in a folder of this repository. */
export function install(folder: string): void {
  const home = join(folder, 'node_modules/health-lab-sdk')
  mkdirSync(home, { recursive: true })
  cpSync('package.json', join(home, 'package.json'))
  build(join(home, 'dist'))
}
