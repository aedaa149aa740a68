import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/**
 * The command brings everything along: whoever runs `npx health-lab-sdk mock` has installed none of the mock's optional
 * packages, and one file starts sooner than two hundred. The licences of what it brings stand beside it.
 */
const folder = process.argv[2] ?? 'dist'
const { metafile } = await build({
  entryPoints: { cli: 'mock/cli.ts' },
  outdir: folder,
  chunkNames: 'cli/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  // Names stay, for the stacks of errors.
  minifyWhitespace: true,
  minifySyntax: true,
  metafile: true,
})
const homes = Object.keys(metafile.inputs).flatMap(
  (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
)
const licences = [...new Set(homes)].toSorted().map(licenceOf)
writeFileSync(join(folder, 'cli/LICENSES.txt'), licences.join('\n\n'))

function licenceOf(home: string): string {
  const name = home.slice(home.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const file = ['LICENSE', 'LICENSE.md', 'license'].find((title) => existsSync(join(home, title)))
  if (!file) throw new Error(`${name} has no licence to show`)
  return `${name}\n\n${readFileSync(join(home, file), 'utf8').trim()}\n`
}
