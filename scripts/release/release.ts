import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { newFiles, nextVersion } from './version.ts'

/**
 * Prepares a release: `npm run release -- minor`, or `-- patch`, `-- major`, `-- 1.2.3`. Writes the version and the
 * changelog, commits, runs every check, tags, and puts the tarball, its bill of materials and their checksums in the
 * folder `release`. Publishes nothing, and prints the remaining steps. With `--dry`, only writes that folder, from the
 * existing build.
 */
function release(kind: string | undefined, isDry: boolean): void {
  const current = JSON.parse(readFileSync('package.json', 'utf8')).version
  const version = kind || !isDry ? nextVersion(current, kind ?? '') : current
  const files = newFiles(current, version, new Date().toISOString().slice(0, 10))
  console.log(`Release ${version}: ${Object.keys(files).join(', ')}`)
  if (!isDry) commit(files, version)
  writeArtifacts('release')
  if (isDry) return
  console.log('Next: git push --follow-tags. .github/workflows/release.yaml then publishes to npm.')
}

function commit(files: Record<string, string>, version: string): void {
  const changed = execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' })
  if (changed) throw new Error(`The working tree has changes. Commit them first:\n${changed}`)
  for (const [file, text] of Object.entries(files)) writeFileSync(file, text)
  run('npm', 'install', '--package-lock-only', '--ignore-scripts')
  run('npm', 'run', 'build')
  run('npm', 'run', 'api')
  run('git', 'commit', '--all', '--message', `Release ${version}`)
  // The checks need a clean clone.
  run('.ci/run')
  run('git', 'tag', '--annotate', `v${version}`, '--message', `Release ${version}`)
}

/** Writes the tarball of the built package, the CycloneDX document of its dependencies, and the checksums of both. */
function writeArtifacts(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const packed = read('npm', 'pack', '--json', '--pack-destination', folder)
  const tarball = join(folder, JSON.parse(packed)[0].filename)
  const bill = join(folder, 'sbom.cdx.json')
  writeFileSync(bill, billOfMaterials())
  const lines = [tarball, bill].map((file) => `${sha256(file)}  ${basename(file)}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
  console.log(lines.join('').trim())
}

/** Returns npm's bill of materials without the time and the random number, so that it is the same for each run. */
function billOfMaterials(): string {
  const flags = ['--omit', 'dev', '--sbom-format', 'cyclonedx', '--package-lock-only']
  const { serialNumber: _, ...bill } = JSON.parse(read('npm', 'sbom', ...flags))
  const { timestamp: __, component, ...metadata } = bill.metadata
  // npm uses the folder of the checkout as its name.
  const named = { ...component, name: 'health-lab-sdk' }
  return `${JSON.stringify({ ...bill, metadata: { ...metadata, component: named } }, null, 2)}\n`
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

function read(command: string, ...parts: string[]): string {
  return execFileSync(command, parts, { encoding: 'utf8' })
}

function run(command: string, ...parts: string[]): void {
  execFileSync(command, parts, { stdio: 'inherit' })
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { dry: { type: 'boolean', default: false } },
})
release(positionals[0], values.dry)
