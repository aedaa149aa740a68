import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

/** The size of a program's bundle, minified and gzipped, in bytes. */
export interface BundleSize {
  /** The code loaded at once: the entry chunk and its imports. */
  first: number
  /** The code loaded on demand. */
  later: number
}

interface Chunk {
  fileName: string
  code: string
  imports: string[]
  isEntry: boolean
}

/** Bundles for browsers with Vite. Omits the `external` packages. */
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
  // Without watching, Vite returns one output. Only chunks have code.
  const { output } = result as unknown as { output: Partial<Chunk>[] }
  const chunks = output.filter((file): file is Chunk => file.code !== undefined)
  const first = new Set(chunks.filter(({ isEntry }) => isEntry))
  // The loop also visits chunks that it adds to the set.
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
