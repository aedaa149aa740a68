import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { installIn, pack } from '../packed.ts'

const { devDependencies, exports } = JSON.parse(readFileSync('package.json', 'utf8'))

/** The peer dependencies of the entry points and the types of Node, in the versions that this repository uses. */
const peerPackages = [
  '@faker-js/faker',
  '@opentelemetry/api',
  '@playwright/test',
  '@types/node',
  'hyparquet-writer',
  'msw',
  'vitest',
]

/** The entry points with code, such as `health-lab-sdk/mock`. */
export const entries = Object.entries<string | { default: string }>(exports)
  .filter(([, target]) => typeof target !== 'string')
  .map(([subpath]) => subpath.replace('.', 'health-lab-sdk'))

/** Installs the packed package in a folder, and adds the smoke suite and the stack check as programs of a consumer. */
export function installConsumer(folder: string, packing: string): void {
  const { tarball } = pack(packing)
  const packages = peerPackages.map((name) => `${name}@${devDependencies[name]}`)
  installIn(folder, [tarball, ...packages])
  for (const [from, to] of [
    ['scripts/runtimes/smoke.ts', 'smoke.ts'],
    ['scripts/runtimes/stacks.ts', 'stacks.ts'],
    ['scripts/runtimes/lost-response.ts', 'lost-response.ts'],
    ['test/support/samples.ts', 'samples.ts'],
  ] as const) {
    writeFileSync(join(folder, to), asConsumer(readFileSync(from, 'utf8')))
  }
  buildSync({
    entryPoints: ['smoke.ts', 'stacks.ts', 'lost-response.ts'].map((name) => join(folder, name)),
    outdir: folder,
    bundle: true,
    format: 'esm',
    packages: 'external',
  })
  writeFileSync(
    join(folder, 'main.js'),
    "import { smoke } from './smoke.js'\nconsole.log(await smoke(), 'checks')\n",
  )
  writeFileSync(
    join(folder, 'check-stacks.js'),
    "import { checkStacks } from './stacks.js'\nconsole.log(await checkStacks(), 'calls')\n",
  )
  writeFileSync(
    join(folder, 'check-lost-response.js'),
    "import { checkLostResponses } from './lost-response.js'\nconsole.log(await checkLostResponses(), 'calls')\n",
  )
}

/** Replaces the relative imports in a program with imports of the package. */
function asConsumer(program: string): string {
  return program
    .replace("'../../test/support/samples.ts'", "'./samples.ts'")
    .replace(/'\.\.\/\.\.\/(?:src\/)?([\w/]+)\.ts'/g, (_, path: string) => {
      const entry = path.replace(/\/?index$/, '')
      return entry === '' ? "'health-lab-sdk'" : `'health-lab-sdk/${entry}'`
    })
}
