import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build, type Plugin } from 'esbuild'
import type { Page } from '../../mock/inspector/page.ts'

/**
 * Replaces the file that builds the inspector by the page that it builds. It is compressed, for the package holds it twice:
 * for the server, and for the command.
 */
export const inspector: Plugin = {
  name: 'inspector',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]mock[\\/]inspector[\\/]page\.ts$/ }, async () => {
      const { html, policy } = await builtPage()
      const packed = brotliCompressSync(html).toString('base64')
      const contents = `
        import { brotliDecompressSync } from 'node:zlib'
        const packed = Buffer.from('${packed}', 'base64')
        const policy = ${JSON.stringify(policy)}
        export const inspectorPage = async () => {
          return { html: brotliDecompressSync(packed).toString(), policy }
        }`
      return { contents, loader: 'js' }
    })
  },
}

interface BuiltPage extends Page {
  /** What it was built of. */
  files: string[]
}

/** A file that needs no other: the script and the styles of the inspector are in it. */
export async function builtPage(): Promise<BuiltPage> {
  const folder = join(import.meta.dirname, 'mock/inspector')
  const { outputFiles, metafile } = await build({
    entryPoints: [join(folder, 'index.tsx'), join(folder, 'style.css')],
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: ['es2022', 'chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    charset: 'utf8',
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'error',
  })
  const textOf = (name: string) => outputFiles.find(({ path }) => path.endsWith(name))?.text ?? ''
  const [script, style] = [textOf('index.js'), textOf('style.css')]
  const files = Object.keys(metafile.inputs)
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Mock inspector</title>
<link rel="icon" href="${icon}">
<style>${style}</style>
<div id="inspector"></div>
<script>${script}</script>
<!--
${licences(files).join('\n')}
-->
</html>
`
  return { html, policy: policyOf(script, style), files }
}

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%230f6e66'/%3E%3Cpath d='M2 8.5h3l2-4.5 2.5 8 2-3.5H14' fill='none' stroke='white' stroke-width='1.5' stroke-linejoin='round'/%3E%3C/svg%3E"

function policyOf(script: string, style: string): string {
  const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  return [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The licences of the packages that some files belong to, each with the package's name. */
export function licences(files: readonly string[]): string[] {
  const homes = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [])
  return [...new Set(homes)].toSorted().map(licenceOf)
}

function licenceOf(home: string): string {
  const name = home.slice(home.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const file = ['LICENSE', 'LICENSE.md', 'license'].find((title) => existsSync(join(home, title)))
  if (!file) throw new Error(`${name} has no licence to show`)
  return `${name}\n\n${readFileSync(join(home, file), 'utf8').trim()}\n`
}
