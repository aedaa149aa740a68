import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printTable } from '../bench/figure.ts'
import { installIn, pack } from '../support/packed.ts'
import { bundles } from './bundles.ts'
import { coldImport } from './cold-import.ts'
import { installed } from './installed.ts'
import { types } from './types.ts'

/** Measures what the packed package costs who uses it, and prints a table: `npm run budgets`. Ends with 1 above a limit. */
const folder = mkdtempSync(join(tmpdir(), 'health-lab-sdk-'))
try {
  const { tarball, unpackedSize } = pack(join(folder, 'packing'))
  const consumer = join(folder, 'consumer')
  installIn(consumer, [tarball])
  const figures = [
    ...installed(consumer, unpackedSize),
    ...types(consumer),
    coldImport(consumer),
    ...(await bundles(consumer)),
  ]
  process.exitCode = printTable(figures) ? 0 : 1
} finally {
  rmSync(folder, { recursive: true })
}
