import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Figure, printTable } from '../../bench/figure.ts'
import { installIn, type PackedPackage, pack } from '../packed.ts'
import { reasonOf } from '../runtimes/trial.ts'
import { bundles } from './bundles.ts'
import { coldImport } from './cold-import.ts'
import { installed } from './installed.ts'
import { types } from './types.ts'

type Measure = (consumer: string, packed: PackedPackage) => Figure[] | Promise<Figure[]>

const parts: Record<string, Measure> = {
  package: (consumer, { unpackedSize }) => installed(consumer, unpackedSize),
  types: (consumer) => types(consumer),
  import: (consumer) => [coldImport(consumer)],
  bundles: (consumer) => bundles(consumer),
}

/**
 * Measures the size and load time of the packed package and prints a table: `npm run lab budgets`, or `npm run lab budgets types`
 * for one part. Exits with 1 when a figure exceeds its limit.
 */
const [wanted] = process.argv.slice(2)
const chosen = Object.entries(parts).filter(([name]) => wanted === undefined || name === wanted)
if (chosen.length === 0) {
  console.error(`Unknown part '${wanted}'. Parts: ${Object.keys(parts).join(', ')}.`)
}
process.exitCode =
  chosen.length > 0 && (await areWithin(chosen.map(([, measure]) => measure))) ? 0 : 1

async function areWithin(measures: Measure[]): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'health-lab-sdk-'))
  try {
    const consumer = join(folder, 'consumer')
    const packed = packedInto(consumer, join(folder, 'packing'))
    if (!packed) return false
    const figures: Figure[] = []
    for (const measure of measures) figures.push(...(await measure(consumer, packed)))
    return printTable(figures)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function packedInto(consumer: string, folder: string): PackedPackage | undefined {
  try {
    const packed = pack(folder)
    installIn(consumer, [packed.tarball])
    return packed
  } catch (error) {
    console.error(`The package could not be packed and installed: ${reasonOf(error)}`)
    return undefined
  }
}
