import { build } from 'esbuild'

/** Bundles a program that is started many times, because otherwise each start loads hundreds of files. */
export async function bundleWorker(entryPoint: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [entryPoint],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    // The drivers are CommonJS, and PGlite loads its own files.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)",
    },
    external: ['pg-native', '@electric-sql/pglite'],
  })
}
