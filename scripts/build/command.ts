import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { builtPage, inspector, licences } from './inspector.ts'

/**
 * The command brings everything along: whoever runs `npx health-lab-sdk mock` has installed none of the mock's optional
 * packages, and one file starts sooner than two hundred. The licences of what it brings stand beside it.
 */
const folder = process.argv[2] ?? 'dist'
const { metafile } = await build({
  entryPoints: { 'cli/main': 'mock/cli/main.ts' },
  outdir: folder,
  chunkNames: 'cli/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  minify: true,
  // For the stacks of errors.
  keepNames: true,
  metafile: true,
  plugins: [inspector],
})

const beside: Plugin = {
  name: 'beside',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/cli\/main\.ts$/ }, () => ({ path: './cli/main.js', external: true }))
  },
}

// Old versions of Node must be able to read the file that tells them they are too old.
await build({
  entryPoints: { cli: 'mock/cli.ts' },
  outdir: folder,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'es2015',
  supported: { 'dynamic-import': true },
  plugins: [beside],
})

const files = [...Object.keys(metafile.inputs), ...(await builtPage()).files]
writeFileSync(join(folder, 'cli/LICENSES.txt'), licences(files).join('\n\n'))
