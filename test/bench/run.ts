import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { cpus } from 'node:os'
import { pathToFileURL } from 'node:url'
import { type Figure, printTable } from './figure.ts'

/**
 * Measures, and prints a table: `npm run bench`, or `npm run bench aggregate` for one part of it. Every part runs in a
 * process of its own. Ends with 1 when a figure exceeds its limit.
 */
const [wanted = '', part] = process.argv.slice(2)

if (wanted === '--part' && part) {
  const { default: measure } = (await import(pathToFileURL(part).href)) as {
    default: () => Promise<Figure[]>
  }
  console.log(JSON.stringify(await measure()))
} else {
  process.exitCode = table(wanted) ? 0 : 1
}

function table(name: string): boolean {
  const parts = globSync('test/bench/*.bench.ts').filter((file) => file.includes(name))
  const figures = parts.toSorted().flatMap((file) => {
    process.stderr.write(`${file}\n`)
    const { stdout, status } = spawnSync(
      process.execPath,
      ['--expose-gc', 'test/bench/run.ts', '--part', file],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 26 },
    )
    if (status !== 0) throw new Error(`${file} failed`)
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '[]') as Figure[]
  })
  const { model = 'unknown' } = cpus()[0] ?? {}
  console.log(`Node ${process.version} on ${process.platform}, ${cpus().length} x ${model}\n`)
  return printTable(figures)
}
