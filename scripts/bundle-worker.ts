import { build } from 'esbuild'

/** Bundles a program that is started again and again: without it, each start loads hundreds of files. */
export async function bundleWorker(entryPoint: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [entryPoint],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    // The drivers are CommonJS; PGlite has files of its own.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)",
    },
    external: ['pg-native', '@electric-sql/pglite'],
  })
}
