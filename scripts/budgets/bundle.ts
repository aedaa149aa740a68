import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

/** Bytes of a program's bundle, minified and gzipped. */
export interface BundleSize {
  /** What is loaded at once: the first chunk with those that it imports. */
  first: number
  /** What is loaded when it is needed. */
  later: number
}

interface Chunk {
  fileName: string
  code: string
  imports: string[]
  isEntry: boolean
}

/** Bundles a program of a consumer for browsers with Vite; `external` stays outside. */
export async function bundleSize(
  consumer: string,
  program: string,
  external: RegExp[] = [],
): Promise<BundleSize> {
  const id = join(consumer, 'measured.js')
  const result = await build({
    root: consumer,
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'program',
        enforce: 'pre',
        resolveId: (name) => (name === id ? id : undefined),
        load: (name) => (name === id ? program : undefined),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input: id, external },
    },
  })
  // One output without watching; only chunks have code.
  const { output } = result as unknown as { output: Partial<Chunk>[] }
  const chunks = output.filter((file): file is Chunk => file.code !== undefined)
  const first = new Set(chunks.filter(({ isEntry }) => isEntry))
  // A set grows while it is walked.
  for (const { imports } of first) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) first.add(chunk)
  }
  return {
    first: gzipped([...first]),
    later: gzipped(chunks.filter((chunk) => !first.has(chunk))),
  }
}

function gzipped(chunks: Chunk[]): number {
  return chunks.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0)
}
