/** Checks the contents of the built package: `npm run lab supply-chain`. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** The licences that distributed packages may have. They only require a notice. */
const permissive =
  /^(?:0BSD|Apache-2\.0|BlueOak-1\.0\.0|BSD-[23]-Clause|CC0-1\.0|ISC|MIT(?:-0)?|Unlicense)$/

interface LockedPackage {
  version: string
  license?: string
  dev?: boolean
  peer?: boolean
}

/** Returns the packages in a production install, and the packages in the build according to its licence file. */
export function distributed(
  packages: Record<string, LockedPackage>,
  licences: string,
): [name: string, details: LockedPackage][] {
  const contained = new Set(licences.split('\n'))
  return Object.entries(packages)
    .map(([path, details]) => [path.replace(/^node_modules\//, ''), details] as const)
    .filter(([name, { dev, peer }]) => name && (contained.has(name) || !(dev || peer)))
    .map(([name, details]) => [name, details])
}

/** Returns the packages whose licence is missing, or requires more than a notice. */
export function unfitLicences(found: readonly [name: string, details: LockedPackage][]): string[] {
  return found
    .filter(([, { license = '' }]) => !permissive.test(license))
    .map(([name, { version, license }]) => `${name}@${version}: ${license ?? 'no licence'}`)
}

/** Checks the registry signatures. Returns the result, or why they were not checked. Throws if a signature is invalid. */
function checkSignatures(): string {
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['audit', 'signatures', '--fetch-retries=0'],
    {
      encoding: 'utf8',
      env: { ...process.env, npm_config_loglevel: 'error' },
    },
  )
  const output = stdout + stderr
  if (status === 0) return output.trim()
  const isInvalid = /invalid|missing/i.test(output) && /signature/i.test(output)
  if (isInvalid) throw new Error(output)
  const [, reason = 'no reason'] = /npm error (?:code )?(.+)/.exec(output) ?? []
  return `not checked: the registry has no signatures, or is not reachable (${reason})`
}

/** Builds and packs the last commit in two new clones, and returns the checksums of both tarballs. */
function packTwice(): string[] {
  return ['one', 'another-folder'].map((name) => {
    const parent = mkdtempSync(join(tmpdir(), 'health-lab-sdk-pack-'))
    const clone = join(parent, name)
    try {
      execFileSync('git', ['clone', '--quiet', '.', clone])
      symlinkSync(resolve('node_modules'), join(clone, 'node_modules'))
      const run = (...parts: string[]) =>
        execFileSync('npm', parts, { cwd: clone, encoding: 'utf8' })
      run('run', '--silent', 'build')
      const [{ filename }] = JSON.parse(run('pack', '--json'))
      return createHash('sha256')
        .update(readFileSync(join(clone, filename)))
        .digest('hex')
    } finally {
      rmSync(parent, { recursive: true })
    }
  })
}

function main(): void {
  console.log(`Signatures: ${checkSignatures()}`)
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const found = distributed(packages, readFileSync('dist/cjs/LICENSES.txt', 'utf8'))
  const unfit = unfitLicences(found)
  console.log(
    `Licences: ${found.length} packages are distributed, ${unfit.length} of them do not fit`,
  )
  const [first, second] = packTwice()
  console.log(`Tarballs of two clones: ${first} and ${second}`)
  if (unfit.length === 0 && first === second) return
  console.log(unfit.join('\n'))
  process.exitCode = 1
}

if (import.meta.main) main()
