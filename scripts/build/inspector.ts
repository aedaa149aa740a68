import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build, type Plugin } from 'esbuild'
import { licencesOf } from './licences.ts'

/** Replaces the module that builds the inspector with the built page. */
export const inspector: Plugin = {
  name: 'inspector',
  setup({ onLoad }) {
    onLoad({ filter: pageModule }, async () => {
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

/**
 * Loads the built page from the CommonJS build, because only Node serves the page, and the package needs just one copy.
 */
export const sharedInspector: Plugin = {
  name: 'shared-inspector',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/cjs\/inspector-page\.cjs$/ }, ({ path }) => ({
      path,
      external: true,
    }))
    onLoad({ filter: pageModule }, () => ({
      contents: `
        import page from './cjs/inspector-page.cjs'
        export const { inspectorPage } = page`,
      loader: 'js',
    }))
  },
}

const pageModule = /[\\/]mock[\\/]inspector[\\/]page\.ts$/

interface BuiltPage {
  html: string
  /** The Content-Security-Policy header that allows only this script and this style. */
  policy: string
  /** The source files of the page, including packages. */
  files: string[]
}

/** Builds the inspector as one HTML file that contains its script and its styles. */
export async function builtPage(): Promise<BuiltPage> {
  const folder = 'mock/inspector'
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
${licencesOf(files).join('\n')}
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
