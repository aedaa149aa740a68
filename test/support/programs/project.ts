import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const manifest = { name: 'health-lab-sdk', version: '1.0.0', bin: './dist/cli.js' }

/** Creates a folder in which `npx` finds a built command. The package has only what `package.json` names. */
export function createProject(dist: string, packageManifest: object = manifest): string {
  mkdirSync('scratch', { recursive: true })
  const project = resolve(mkdtempSync('scratch/project-'))
  const home = join(project, 'node_modules/health-lab-sdk')
  const command = join(project, 'node_modules/.bin/health-lab-sdk')
  for (const folder of [home, dirname(command)]) mkdirSync(folder, { recursive: true })
  symlinkSync(resolve(dist), join(home, 'dist'))
  symlinkSync('../health-lab-sdk/dist/cli.js', command)
  writeFileSync(join(home, 'package.json'), JSON.stringify(packageManifest))
  writeFileSync(join(project, 'package.json'), '{"private": true, "type": "module"}')
  return project
}
